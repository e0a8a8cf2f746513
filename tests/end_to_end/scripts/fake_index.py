"""A package index on 127.0.0.1 that serves made-up wheels, counts what it is asked, and misbehaves when told to."""
import hashlib
import http.server
import io
import json
import random
import threading
import zipfile


def wheel_bytes(members):
    """members: {path: bytes}. Stored, not compressed: sizes stay what they are."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


TORCH_FILE = "torch-9.9.9-cp311-cp311-manylinux_2_28_x86_64.whl"
RUNTIME_FILE = "nvidia_cuda_runtime-13.0.96-py3-none-manylinux2014_x86_64.whl"
CUBLAS_FILE = "nvidia_cublas-13.1.1.3-py3-none-manylinux_2_27_x86_64.whl"


def sample_wheels():
    noise = random.Random(1)
    return {
        TORCH_FILE: wheel_bytes({
            "torch/lib/libtorch_cpu.so": noise.randbytes(3_000_000),
            "torch/lib/libc10.so": noise.randbytes(10_000),
            "torch/lib/libtorch_cuda.so": noise.randbytes(10_000),
            "torch/lib/libtorch_python.so": noise.randbytes(10_000),
            "torch/include/ATen/core/Tensor.h": b"// a header\n",
            "torch/bin/protoc": b"a program\n",
            "torch/nn/modules.py": b"a module\n",
            "torch-9.9.9.dist-info/METADATA": b"Name: torch\n",
        }),
        RUNTIME_FILE: wheel_bytes({"nvidia/cu13/lib/libcudart.so.13": noise.randbytes(50_000)}),
        CUBLAS_FILE: wheel_bytes({"nvidia/cu13/lib/libcublas.so.13": noise.randbytes(50_000)}),
    }


def entry(file, name, version, target, content):
    """A wheel's line in a manifest."""
    return {"name": name, "version": version, "for": target, "bytes": len(content), "file": file,
            "sha256": hashlib.sha256(content).hexdigest()}


def manifest(wheels, unpacked_bytes=4_000_000):
    names = {TORCH_FILE: ("torch", "9.9.9", "cpu"), RUNTIME_FILE: ("nvidia-cuda-runtime", "13.0.96", "cpu"),
             CUBLAS_FILE: ("nvidia-cublas", "13.1.1.3", "cuda")}
    return {"version": "9.9.9", "unpacked_bytes": {"cpu": unpacked_bytes, "cuda": unpacked_bytes},
            "wheels": [entry(file, *names[file], content) for file, content in wheels.items()]}


class FakeIndex:
    def __init__(self, wheels):
        self.wheels = dict(wheels)
        self.html = False  # answer pages as HTML only
        self.ranges = True  # honour Range
        self.break_after = None  # close the connection once after so many bytes of a file
        self.hold_after = None  # wait for `release` after so many bytes of a file
        self.held = threading.Event()
        self.release = threading.Event()
        self.requests = []  # (path, Range header or None)
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/simple/"

    def close(self):
        self.release.set()
        self._server.shutdown()
        self._server.server_close()

    def asked_for(self, file):
        """The Range headers of the requests for a file."""
        return [span for path, span in self.requests if path.endswith(file)]

    def _handler(self):
        index = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                index.requests.append((self.path, self.headers.get("Range")))
                if self.path.startswith("/simple/"):
                    self.page(self.path.split("/")[2])
                else:
                    self.file(self.path.rpartition("/")[2])

            def page(self, name):
                files = [f for f in index.wheels if f.startswith(name.replace("-", "_") + "-")]
                if not files:
                    self.send_error(404)
                    return
                if index.html:
                    kind = "text/html"
                    body = "".join(f'<a href="../../files/{f}#sha256=0">{f}</a>\n' for f in files)
                else:
                    kind = "application/vnd.pypi.simple.v1+json"
                    body = json.dumps({"files": [{"filename": f, "url": f"/files/{f}"} for f in files]})
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def file(self, name):
                content = index.wheels[name]
                start = 0
                span = self.headers.get("Range")
                if span and index.ranges:
                    start = int(span[len("bytes="):-1])
                    self.send_response(206)
                    self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
                else:
                    self.send_response(200)
                self.send_header("Content-Length", str(len(content) - start))
                self.end_headers()
                try:
                    for at in range(start, len(content), 65536):
                        if index.break_after is not None and at - start >= index.break_after:
                            index.break_after = None
                            self.close_connection = True
                            return
                        if index.hold_after is not None and at - start >= index.hold_after:
                            index.held.set()
                            index.release.wait(30)
                        self.wfile.write(content[at:at + 65536])
                except (BrokenPipeError, ConnectionResetError):
                    pass

        return Handler
