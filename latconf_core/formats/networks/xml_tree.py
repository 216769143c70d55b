"""XML of networks, read without entities or anything from elsewhere."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError

import defusedxml
from defusedxml.ElementTree import fromstring

from latconf_core.errors import FileFormatError

_DECLARED_ENCODING = re.compile(r"\A\s*<\?xml[^>]*\?>")


def parse_xml(text: str, *, with_doctype: bool = False) -> Element:
    """The root of an XML text; entities and external parts are refused.

    with_doctype : whether the file may declare its elements, as files of XMLBIF do
    """
    plain = _DECLARED_ENCODING.sub("", text, count=1)  # the text is decoded, whatever it says
    try:
        root: Element = fromstring(plain, forbid_dtd=not with_doctype, forbid_entities=True, forbid_external=True)
    except ParseError as error:
        raise FileFormatError(f"this is not XML: {error.msg}", line=error.position[0]) from None
    except defusedxml.DTDForbidden:
        raise FileFormatError("the file declares a document type, which is not allowed for safety; remove it") from None
    except defusedxml.DefusedXmlException:
        raise FileFormatError("the file declares entities, which are not allowed for safety; remove them") from None
    except (ValueError, LookupError, RecursionError, MemoryError) as error:
        raise FileFormatError(f"this is not readable XML ({error})") from None
    return root


def text_of(element: Element | None) -> str:
    """The text of an element, without blanks around it; empty where there is none."""
    return "" if element is None or element.text is None else element.text.strip()
