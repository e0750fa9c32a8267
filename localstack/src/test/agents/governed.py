import functools
import inspect

from http_agent import NotDone, api, propose, result


def governed(tool, entity=None):
    """Proposes the arguments as a call of the tool; the function never runs."""

    def wrap(function):
        @functools.wraps(function)  # keeps name, description and types
        def call(*args, **kwargs):
            given = inspect.signature(function).bind(*args, **kwargs).arguments
            try:
                return told(propose(tool, given, entity))
            except NotDone as why:
                return f"Not done: {why}. Do not call again."

        return call

    return wrap


def told(plan):
    if plan["disposed_at"]:
        return result(plan)
    return f"Held: waits for {plan['waiting_on']}. Ask outcome with {plan['id']} later; do not call again."


def outcome(plan_id: str) -> str:
    """Tells what became of a call that was held."""
    try:
        return told(api(f"/v1/plans/{plan_id}"))
    except NotDone as why:
        return f"Not done: {why}. Do not call again."


@governed("sandbox.payment.refund")
def refund(order: str, amount: str) -> str:
    """Refunds an amount, such as 42.00, of an order."""
