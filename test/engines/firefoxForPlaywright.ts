/**
 * A program that Playwright starts as its Firefox. It starts the installed one, and passes on what both say over WebDriver
 * BiDi. Playwright cannot open a page without commands that a Firefox ESR may lack; these are answered here.
 */
import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

interface Command {
  readonly id: number
  readonly method: string
}

interface Reply {
  readonly id?: number
  readonly type: string
  readonly error?: string
}

/** They change only what media queries see. The tests need the defaults of an installed Firefox. */
const dispensable = new Set(['emulation.setMediaFeaturesOverride'])

const firefox = spawn(process.env['FIREFOX_PATH'] ?? 'firefox-esr', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
})
firefox.once('exit', (code) => process.exit(code ?? 1))
process.once('SIGTERM', () => firefox.kill())

firefox.stderr.setEncoding('utf8').on('data', (text: string) => {
  const [line = '', address] = /WebDriver BiDi listening on (ws:\S+)/.exec(text) ?? []
  process.stderr.write(text.replace(line, ''))
  if (address) listen(address)
})

/** `ws` passes whole messages in one buffer. */
const textOf = (data: RawData) => (Buffer.isBuffer(data) ? data.toString() : '')

function listen(firefoxAddress: string): void {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (playwright, { url = '' }) => passOn(playwright, new WebSocket(firefoxAddress + url)))
  server.once('listening', () => {
    const { port } = server.address() as AddressInfo // of a server on a port
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${port}\n`) // Playwright waits for this line
  })
}

function passOn(playwright: WebSocket, browser: WebSocket): void {
  const early: string[] = []
  const answerable = new Set<number>()
  playwright.on('message', (data) => {
    const text = textOf(data)
    const { id, method } = JSON.parse(text) as Command
    if (dispensable.has(method)) answerable.add(id)
    if (browser.readyState === WebSocket.OPEN) browser.send(text)
    else early.push(text)
  })
  browser.once('open', () => {
    for (const text of early) browser.send(text)
  })
  browser.on('message', (data) => {
    const text = textOf(data)
    const { id, error } = JSON.parse(text) as Reply
    const isAnswered = id !== undefined && answerable.delete(id) && error === 'unknown command'
    playwright.send(isAnswered ? JSON.stringify({ type: 'success', id, result: {} }) : text)
  })
  playwright.once('close', () => browser.close())
  browser.once('close', () => playwright.close())
}
