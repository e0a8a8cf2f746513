"""Finds a wheel's address in a simple package index: JSON where the index offers it (PEP 691), HTML elsewhere (PEP 503)."""
import base64
import html.parser
import json
import ssl
import urllib.parse
import urllib.request

TIMEOUT_S = 60


def opener(settings):
    """A urllib opener with pip's certificates and proxy."""
    context = ssl.create_default_context(cafile=settings.cert or None)
    handlers = [urllib.request.HTTPSHandler(context=context)]
    if settings.proxy:
        handlers.append(urllib.request.ProxyHandler({"http": settings.proxy, "https": settings.proxy}))
    return urllib.request.build_opener(*handlers)


def request(url, headers):
    """A request; a name and password inside the address become a header, since urllib does not send them."""
    parts = urllib.parse.urlsplit(url)
    headers = dict(headers)
    if parts.username:
        login = f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password or '')}"
        headers["Authorization"] = "Basic " + base64.b64encode(login.encode()).decode()
        url = urllib.parse.urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    return urllib.request.Request(url, headers=headers)


def find(open_url, index, wheel):
    """The wheel's address, or None if this index does not have it. Raises OSError if the index cannot be asked."""
    page = urllib.parse.urljoin(index, wheel.name + "/")
    accept = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"
    with open_url.open(request(page, {"Accept": accept}), timeout=TIMEOUT_S) as answer:
        body = answer.read().decode("utf-8", "replace")
        base = answer.geturl()
        if "json" in answer.headers.get("Content-Type", ""):
            files = [(entry["filename"], entry["url"]) for entry in json.loads(body)["files"]]
        else:
            links = _Links()
            links.feed(body)
            files = links.files
    for name, url in files:
        if name == wheel.file:
            return urllib.parse.urldefrag(urllib.parse.urljoin(base, url)).url
    return None


class _Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.files = []  # (file name, address as written)

    def handle_starttag(self, tag, attributes):
        href = dict(attributes).get("href")
        if tag == "a" and href:
            path = urllib.parse.urlsplit(href).path
            self.files.append((urllib.parse.unquote(path.rpartition("/")[2]), href))
