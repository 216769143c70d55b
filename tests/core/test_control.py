"""RunControl under a clock that the test moves."""

from __future__ import annotations

import threading

import pytest

from latconf_core.control import Progress, RunControl, StopReason, StopRequested


class FakeClock:
    """A clock that moves only when told to, or when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def stop_reason(control: RunControl) -> StopReason:
    with pytest.raises(StopRequested) as caught:
        control.checkpoint()
    return caught.value.reason


def test_that_a_control_without_limits_never_stops() -> None:
    clock = FakeClock()
    control = RunControl(clock=clock)
    clock.now += 1e9
    control.checkpoint()
    assert control.seconds() == 1e9


def test_that_cancelling_stops_at_the_next_checkpoint() -> None:
    cancelled = False
    control = RunControl(lambda: cancelled)
    control.checkpoint()
    cancelled = True
    assert stop_reason(control) is StopReason.CANCELLED


def test_that_the_time_limit_stops_when_it_is_reached() -> None:
    clock = FakeClock()
    control = RunControl(time_limit=10, clock=clock)
    clock.now += 9.99
    control.checkpoint()
    clock.now += 0.01
    assert stop_reason(control) is StopReason.TIME_LIMIT


def test_that_a_pause_does_not_count_towards_the_limit() -> None:
    clock = FakeClock()
    control = RunControl(is_paused=lambda: clock.now < 150, time_limit=10, clock=clock, sleep=clock.sleep)
    clock.now += 4
    control.checkpoint()
    assert clock.now >= 150
    assert control.seconds() == pytest.approx(4)
    clock.now += 6
    assert stop_reason(control) is StopReason.TIME_LIMIT


def test_that_several_pauses_add_up() -> None:
    clock = FakeClock()
    until = 0.0
    control = RunControl(is_paused=lambda: clock.now < until, time_limit=100, clock=clock, sleep=clock.sleep)
    for _ in range(3):
        clock.now += 5
        until = clock.now + 20
        control.checkpoint()
    assert control.seconds() == pytest.approx(15, abs=1e-6)


def test_that_the_clock_stands_still_while_a_pause_lasts() -> None:
    clock = FakeClock()
    seen: list[float] = []
    control: RunControl

    def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        seen.append(control.seconds())

    control = RunControl(is_paused=lambda: clock.now < 130, clock=clock, sleep=sleep)
    control.checkpoint()
    assert max(seen) == pytest.approx(0, abs=1e-6)


def test_that_cancelling_ends_a_pause() -> None:
    clock = FakeClock()
    control = RunControl(lambda: clock.now > 101, lambda: True, clock=clock, sleep=clock.sleep)
    assert stop_reason(control) is StopReason.CANCELLED
    assert 101 < clock.now < 102


def test_that_workers_waiting_through_one_pause_count_it_once() -> None:
    clock, is_over, waiting = FakeClock(), threading.Event(), threading.Semaphore(0)

    def sleep(_seconds: float) -> None:
        waiting.release()
        is_over.wait()

    control = RunControl(is_paused=lambda: not is_over.is_set(), clock=clock, sleep=sleep)
    workers = [threading.Thread(target=control.checkpoint) for _ in range(4)]
    for worker in workers:
        worker.start()
    for _ in workers:
        assert waiting.acquire(timeout=60)
    clock.now += 30
    is_over.set()
    for worker in workers:
        worker.join()
    assert control.seconds() == pytest.approx(0, abs=1e-6)  # counted four times it would be far below zero


@pytest.mark.parametrize("limit", [0, -1, float("nan")])
def test_that_a_limit_without_time_is_refused(limit: float) -> None:
    with pytest.raises(ValueError, match="above 0 seconds"):
        RunControl(time_limit=limit)


def test_that_a_stop_request_says_its_reason() -> None:
    assert str(StopRequested(StopReason.TIME_LIMIT)) == "time limit"


def test_that_progress_may_have_no_total() -> None:
    assert Progress(3, None) == Progress(3, None, "")


def test_that_a_part_has_its_own_limits_and_ends_with_the_whole() -> None:
    seconds, stopped, closed = [0.0], [False], [False]
    whole = RunControl(lambda: stopped[0], time_limit=10, clock=lambda: seconds[0])
    seconds[0] = 4.0
    part = whole.child(time_limit=2, is_cancelled=lambda: closed[0])
    part.checkpoint()
    assert part.seconds() == 0.0
    seconds[0] = 6.0
    with pytest.raises(StopRequested, match="time limit"):
        part.checkpoint()
    whole.checkpoint()
    closed[0] = True
    with pytest.raises(StopRequested, match="cancelled"):
        part.checkpoint()
    closed[0], stopped[0] = False, True
    with pytest.raises(StopRequested, match="cancelled"):
        whole.child().checkpoint()
    stopped[0], seconds[0] = False, 11.0
    with pytest.raises(StopRequested, match="time limit"):
        whole.child().checkpoint()


def test_that_a_stop_that_is_put_off_comes_afterwards() -> None:
    control = RunControl(lambda: True)
    with control.ignore_stop():
        control.checkpoint()
    with pytest.raises(StopRequested, match="cancelled"):
        control.checkpoint()


def test_that_a_pause_of_a_part_does_not_count_towards_the_limit_of_the_whole() -> None:
    clock = FakeClock()
    resumes_at = clock.now + 500
    whole = RunControl(is_paused=lambda: clock.now < resumes_at, time_limit=10, clock=clock, sleep=clock.sleep)
    part, sibling = whole.child(), whole.child()
    part.checkpoint()
    assert clock.now >= resumes_at
    assert part.seconds() == sibling.seconds() == whole.seconds() == 0.0
