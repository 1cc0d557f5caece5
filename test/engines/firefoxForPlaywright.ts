/**
 * A program that Playwright starts as its Firefox. It starts the installed one, and passes on what both say over WebDriver
 * BiDi. Playwright cannot open a page without commands that a Firefox ESR may lack; these are answered here.
 */
import { spawn } from 'node:child_process'
import { type AddressInfo, connect, createServer } from 'node:net'
import { Transform } from 'node:stream'

interface Reply {
  readonly id?: number
  readonly error?: string
  /** Of an unknown command: its name. */
  readonly message?: string
}

/** They change only what media queries see. The tests need the defaults of an installed Firefox. */
const dispensable = new Set(['emulation.setMediaFeaturesOverride'])

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
    // The heads of the request and of its response come first and alone. Firefox serves its own address only.
    playwright.once('data', (head: Buffer) => {
      browser.write(head.toString('latin1').replace(/^Host: .*$/m, `Host: 127.0.0.1:${firefoxPort}`))
      playwright.pipe(browser)
    })
    browser.once('data', (head: Buffer) => {
      playwright.write(head)
      browser.pipe(answerDispensable()).pipe(playwright)
    })
    playwright.once('error', () => browser.destroy())
    browser.once('error', () => playwright.destroy())
  })
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo // of a server on a port
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${port}\n`) // Playwright waits for this line
  })
}

/** Passes on WebSocket frames, which a server does not mask. */
function answerDispensable(): Transform {
  let received = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received = Buffer.concat([received, chunk])
      for (let length = frameLength(received); length <= received.length; length = frameLength(received)) {
        this.push(answered(received.subarray(0, length)))
        received = received.subarray(length)
      }
      done()
    },
  })
}

/** Infinite until the length has arrived. */
function frameLength(bytes: Buffer): number {
  const [, length = Infinity] = bytes
  if (length < 126) return 2 + length
  if (length === 126) return bytes.length < 4 ? Infinity : 4 + bytes.readUInt16BE(2)
  return bytes.length < 10 ? Infinity : 10 + Number(bytes.readBigUInt64BE(2))
}

/** Puts a success in the place of a refusal, which is longer, so that the frame keeps its length. */
function answered(frame: Buffer): Buffer {
  const start = frame.indexOf('{"type":"error"')
  if (start < 0 || start > 10) return frame
  const { id, error, message = '' } = JSON.parse(frame.toString('utf8', start)) as Reply
  if (error !== 'unknown command' || !dispensable.has(message)) return frame
  const success = JSON.stringify({ type: 'success', id, result: {} }).padEnd(frame.length - start)
  return Buffer.concat([frame.subarray(0, start), Buffer.from(success)])
}
