"""A headless Chromium, controlled over the pipe of its DevTools protocol."""
import asyncio
import json
import os
import shutil
import subprocess
import tempfile

NAMES = ["chromium-headless-shell", "chromium", "google-chrome", "chrome"]


class Browser:
    """The browser's process. Commands and events are JSON texts, each ended by a NUL byte."""

    async def __aenter__(self):
        program = next((path for path in map(shutil.which, NAMES) if path), None)
        if not program:
            raise SystemExit(f"none of {', '.join(NAMES)} is installed: install chromium")
        self.profile = tempfile.mkdtemp()
        commands, self.commands = os.pipe()
        events, events_end = os.pipe()
        # The browser reads commands from descriptor 3 and writes events to 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec 3<&{commands} 4>&{events_end}; exec "$@"', "bash", program, "--headless",
             "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
             "--disable-backgrounding-occluded-windows", f"--user-data-dir={self.profile}", "--remote-debugging-pipe", "about:blank"],
            pass_fds=(commands, events_end), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(events_end)
        self.next, self.replies, self.listeners = 1, {}, {}
        reader = asyncio.StreamReader(limit=1 << 28)
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(events, "rb"))
        self.reading = asyncio.create_task(self.read(reader))
        return self

    async def __aexit__(self, *_):
        self.reading.cancel()
        os.close(self.commands)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    async def read(self, reader):
        while True:
            message = json.loads((await reader.readuntil(b"\0"))[:-1])
            if "id" in message:
                self.replies.pop(message["id"]).set_result(message)
            elif message.get("sessionId") in self.listeners:
                self.listeners[message["sessionId"]](message["method"], message["params"])

    async def call(self, method, session=None, **parameters):
        number, self.next = self.next, self.next + 1
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        reply = self.replies[number] = asyncio.get_running_loop().create_future()
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        answer = await asyncio.wait_for(reply, 60)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    async def tab(self):
        target = (await self.call("Target.createTarget", url="about:blank"))["targetId"]
        session = (await self.call("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        tab = Tab(self, session)
        for domain in ("Page", "Runtime", "Network", "Log"):
            await tab.call(f"{domain}.enable")
        await tab.call(
            "Emulation.setDeviceMetricsOverride", width=1400, height=1000, deviceScaleFactor=1, mobile=False)
        return tab


class Tab:
    """A tab, and the faults that the browser has told of since the last page was opened."""

    def __init__(self, browser, session):
        self.browser, self.session, self.faults, self.urls = browser, session, [], {}
        browser.listeners[session] = self.hear

    def hear(self, event, data):
        if event == "Runtime.exceptionThrown":
            self.faults.append("exception: " + data["exceptionDetails"].get("text", ""))
        elif event == "Runtime.consoleAPICalled" and data["type"] == "error":
            self.faults.append("console: " + " ".join(str(part.get("value", "")) for part in data["args"]))
        elif event == "Log.entryAdded" and data["entry"]["level"] == "error":
            self.faults.append(f"log: {data['entry']['text']} {data['entry'].get('url', '')}")
        elif event == "Network.requestWillBeSent":
            self.urls[data["requestId"]] = data["request"]["url"]
        elif event == "Network.responseReceived" and data["response"]["status"] >= 400:
            self.faults.append(f"status {data['response']['status']}: {data['response']['url']}")
        elif event == "Network.loadingFailed" and not data.get("canceled"):
            self.faults.append(f"{data['errorText']}: {self.urls.get(data['requestId'])}")

    async def call(self, method, **parameters):
        return await self.browser.call(method, self.session, **parameters)

    async def value(self, script):
        """The JSON value that a script ends with, or that its promise is kept with."""
        reply = await self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in reply:
            raise RuntimeError(reply["exceptionDetails"]["exception"].get("description", "exception"))
        return reply["result"].get("value")
