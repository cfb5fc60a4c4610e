"""The site as an app: its manifest, and the page without a connection."""

import re
from io import BytesIO

from PIL import Image
from starlette.testclient import TestClient


def test_the_manifest_names_icons_that_are_there_in_the_size_it_says(stranger: TestClient) -> None:
    reply = stranger.get("/manifest.webmanifest")
    told = reply.json()
    assert reply.headers["content-type"] == "application/manifest+json"
    assert (told["start_url"], told["display"]) == ("/", "standalone")
    for icon in told["icons"]:
        file = stranger.get(icon["src"])
        assert file.headers["content-type"].startswith(icon["type"])
        if icon["type"] == "image/png":
            width, height = Image.open(BytesIO(file.content)).size
            assert f"{width}x{height}" == icon["sizes"]
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in told["icons"]}


def test_the_worker_keeps_every_file_that_the_page_without_a_connection_asks_for(
    stranger: TestClient,
) -> None:
    script = stranger.get("/sw.js")
    page = stranger.get("/offline").text
    asked = set(re.findall(r'(?:src|href)="(/static/(?!icon-)[^"]+)"', page))

    assert script.headers["content-type"].startswith("text/javascript")
    assert asked
    assert all(f'"{address}"' in script.text for address in {"/offline", *asked})


def test_static_files_travel_compressed_and_pages_do_not(stranger: TestClient) -> None:
    page = stranger.get("/", headers={"Accept-Encoding": "gzip"})
    address = re.findall(r'href="(/static/site[^"]+)"', page.text)[0]
    assert stranger.get(address, headers={"Accept-Encoding": "gzip"}).headers["content-encoding"] == "gzip"
    assert "content-encoding" not in page.headers
