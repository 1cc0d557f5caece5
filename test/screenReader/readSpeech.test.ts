import { expect, test } from 'vitest'
import { readSpeech } from './readSpeech.ts'

test('reads texts without marks and entities', () => {
  const markup = '<speak><mark name="0:5"/>Paws &amp; <mark name="6:8"/>Co, 1 &lt; 2.<mark name="__spd_0"/></speak>'
  expect(readSpeech(`${JSON.stringify(markup)}\n${JSON.stringify('a')}\n`)).toEqual(['Paws & Co, 1 < 2.', 'a'])
})
