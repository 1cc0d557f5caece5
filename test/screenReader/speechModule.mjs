#!/usr/bin/env node
// A speech module of speech-dispatcher: instead of speaking, it appends each text as a line of JSON to SPEECH_FILE.
// Orca finds that everything is spoken at once, so nothing it says is ever cut off.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const file = process.env.SPEECH_FILE
const respond = (...lines) => process.stdout.write(`${lines.join('\n')}\n`)

/** Called with the lines that follow a command, once a line with a dot ends them. */
let receive
let received = []

const receiveAfter = (response, next) => () => {
  respond(response)
  received = []
  receive = next
}

const speak = receiveAfter('202 OK RECEIVING MESSAGE', (lines) => {
  appendFileSync(file, `${JSON.stringify(lines.join('\n'))}\n`)
  respond('200 OK SPEAKING', '701 BEGIN', '702 END')
})

const commands = {
  INIT: () => respond('299-Ready', '299 OK LOADED SUCCESSFULLY'),
  AUDIO: receiveAfter('207 OK RECEIVING AUDIO SETTINGS', () => respond('203 OK AUDIO INITIALIZED')),
  LOGLEVEL: receiveAfter('207 OK RECEIVING LOGLEVEL SETTINGS', () => respond('203 OK LOG LEVEL SET')),
  SET: receiveAfter('203 OK RECEIVING SETTINGS', () => respond('203 OK SETTINGS RECEIVED')),
  SPEAK: speak,
  CHAR: speak,
  KEY: speak,
  SOUND_ICON: speak,
  STOP: () => respond('703 STOP'),
  PAUSE: () => respond('704 PAUSE'),
  LIST: () => respond('200-file\ten\tnone', '200 OK VOICE LIST SENT'),
  DEBUG: () => respond('200 OK DEBUGGING ON'),
  QUIT: () => {
    respond('210 OK QUIT')
    process.exit()
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (!receive) {
    const command = commands[line.split(' ')[0]]
    if (command) command()
    else respond('300 ERR UNKNOWN COMMAND')
  } else if (line === '.') {
    const next = receive
    receive = undefined
    next(received)
  } else received.push(line.startsWith('..') ? line.slice(1) : line)
})
