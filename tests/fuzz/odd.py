"""Pieces of text that readers are known to trip over."""

from __future__ import annotations

MAX_BYTES = 1_000_000

ODD = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\x80", b"\x1b[31m",
    "²".encode(), "١".encode(), "𝟙".encode(), "½".encode(), "ﬁ".encode(), "İ".encode(), "ß".encode(), "\u202e".encode(),
    "\u2028".encode(), "\x85".encode(), "\ufffe".encode(), "e\u0301".encode(), "\u200b".encode(), "\xa0".encode(),
    b"\x01", b"\x07", b"\x0b", b"\x0c", b"\x1a", b"\x1c", b"\x7f", b"\n" * 40, b"\r", b"\r\n", b"\t", b" " * 50,
    b'"', b'"' * 7, b'""', b"'", b"`", b"\\", b"\\u0000", b"\\ud800", b"\\udc00\\ud800", b"\\n", b"%00", b"%ED%A0%80",
    b"%", b"%zz", b",", b",,,,", b";", b"|", b"{", b"}", b"[", b"]", b"(", b")", b"<", b">", b"{}", b"[]", b"()",
    b"<b>x</b>", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"&#0;", b"&#xD800;", b"]]>", b"<![CDATA[", b"<!--",
    b"-1", b"0", b"00", b"-0", b"1e309", b"-1e309", b"1e-400", b"NaN", b"nan", b"inf", b"-Infinity", b"9" * 400,
    b"9" * 5000, b"1e999999999", b"0x10", b"1_000", b"1.5", b".5", b"5.", b"1,5", b"+1", b"true", b"null", b"None",
    b"2147483648", b"-9223372036854775809", b"18446744073709551616", b"1e18", b"@relation", b"@attribute", b"@data",
    b"-->", b"<->", b"o-o", b"o->", b"---", b"<--", b"::", b"graph", b"digraph", b"dag", b"mag", b"strict",
    b"subgraph", b"network", b"variable", b"probability", b"table", b"default", b"property", b"type discrete",
    b"latconf_name", b"latconf_latent", b"# name A = B", b"# states A = 3", b"/knowledge", b"addtemporal",
    b"forbiddengroup", b"==>", b"#", b"//", b"/*", b"*/", b"%", b"$", b"NA", b"?", b"missing", b"../../x", b"/etc/x",
    b"A" * 300, b"x" * 70_000, b"=", b"*", b":", b"!", b"~", b"^",
)  # fmt: skip

NUMBERS = (
    b"0", b"-1", b"1", b"2", b"3", b"255", b"256", b"65535", b"65536", b"2147483647", b"2147483648", b"4294967296",
    b"1000000000", b"9223372036854775808", b"1e308", b"1e309", b"-1e308", b"1e-320", b"9" * 30, b"9" * 400, b"9" * 4400,
    b"9" * 4301, b"1" * 6000, b"0" * 5000 + b"3",
    b"0.5", b"-0.5", b"1.0", b"1e3", b"1e30", b"00", b"NaN", b"Infinity", b"null", b'"x"', b"true", b"", "²".encode(),
)  # fmt: skip
