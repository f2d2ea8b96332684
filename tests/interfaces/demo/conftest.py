"""Servers are started as the tests of the server start them."""

from tests.interfaces.serve.conftest import start

__all__ = ["start"]
