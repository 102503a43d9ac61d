from .page import app as app
