/**
 * A program that Playwright starts as its Firefox. It starts the installed Firefox and passes on the messages of both over
 * WebDriver BiDi. Playwright opens a page only after commands that a Firefox ESR may lack: for these, this program reports
 * success.
 */
import { spawn } from 'node:child_process'
import { type AddressInfo, connect, createServer } from 'node:net'
import { Transform } from 'node:stream'

interface Reply {
  readonly id?: number
  readonly error?: string
  /** The name of the command, if it is unknown. */
  readonly message?: string
}

/** Commands that only change what media queries see. The tests need the defaults of an installed Firefox anyway. */
const dispensableCommands = new Set(['emulation.setMediaFeaturesOverride'])

const firefox = spawn(process.env['FIREFOX_PATH'] ?? 'firefox-esr', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
})
firefox.once('exit', (code) => process.exit(code ?? 1))
process.once('SIGTERM', () => firefox.kill())

firefox.stderr.setEncoding('utf8').on('data', (text: string) => {
  const [line = '', port] = /WebDriver BiDi listening on ws:\S+:(\d+)/.exec(text) ?? []
  process.stderr.write(text.replace(line, ''))
  if (port) listen(Number(port))
})

function listen(firefoxPort: number): void {
  const server = createServer((playwright) => {
    const browser = connect(firefoxPort, '127.0.0.1')
    // A WebSocket begins with the heads of a request and a response, without frames. Firefox accepts only its own `Host`.
    playwright.once('data', (head: Buffer) => {
      browser.write(head.toString('latin1').replace(/^Host: .*$/m, `Host: 127.0.0.1:${firefoxPort}`))
      playwright.pipe(browser)
    })
    browser.once('data', (head: Buffer) => {
      playwright.write(head)
      browser.pipe(acceptDispensable()).pipe(playwright)
    })
    playwright.once('error', () => browser.destroy())
    browser.once('error', () => playwright.destroy())
  })
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo // of a server on a port
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${port}\n`) // Playwright waits for this line
  })
}

/** Passes on the WebSocket frames of a server, in which refusals of dispensable commands become successes. */
function acceptDispensable(): Transform {
  let received = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received = Buffer.concat([received, chunk])
      for (let length = frameLength(received); length <= received.length; length = frameLength(received)) {
        this.push(withSuccess(received.subarray(0, length)))
        received = received.subarray(length)
      }
      done()
    },
  })
}

/** The length of the first frame, which a server does not mask. Infinite until the length itself has arrived. */
function frameLength(bytes: Buffer): number {
  const [, length = Infinity] = bytes
  if (length < 126) return 2 + length
  if (length === 126) return bytes.length < 4 ? Infinity : 4 + bytes.readUInt16BE(2)
  return bytes.length < 10 ? Infinity : 10 + Number(bytes.readBigUInt64BE(2))
}

/** Replaces the refusal of a dispensable command with a success, padded with spaces so that the frame keeps its length. */
function withSuccess(frame: Buffer): Buffer {
  const start = frame.indexOf('{"type":"error"')
  if (start < 0 || start > 10) return frame
  const { id, error, message = '' } = JSON.parse(frame.toString('utf8', start)) as Reply
  if (error !== 'unknown command' || !dispensableCommands.has(message)) return frame
  const success = JSON.stringify({ type: 'success', id, result: {} }).padEnd(frame.length - start)
  return Buffer.concat([frame.subarray(0, start), Buffer.from(success)])
}
