import { describe, expect, test } from 'vitest'
import { entries, publicNames } from '../../.storybook/entries.ts'
import { type ApiMember, readApi } from '../../.storybook/readApi.ts'

const api = readApi('src')
const names = [...new Set(Object.values(entries).flatMap((path) => publicNames(path).map(({ name }) => name)))]

/** Their names are the labels and the parts themselves. */
const speaksForItself = /(?:Labels|ClassNames)$/

/** Numbers that are no duration, time or size have to say what they count. */
const unit =
  /\bms\b|milliseconds|seconds|epoch|bytes|requests|rows|characters|how many|times|status|port|number|maxlength/i

const isNumber = ({ type }: ApiMember) => /^(?:readonly )?number(?:\[\])?(?: \||$)/.test(type)

describe('what the package exports is described where it stands', () => {
  test.each(names)('%s', (name) => {
    const entry = api[name]
    expect(entry?.description).toMatch(/[.:]$/)
    if (!entry || speaksForItself.test(name)) return
    expect(entry.members.filter(({ description }) => !/[.:)]$/.test(description)).map((member) => member.name)).toEqual(
      [],
    )
    const unclear = entry.members.filter((member) => isNumber(member) && !unit.test(member.description))
    expect(unclear.map((member) => member.name)).toEqual([])
  })
})

const promising = names.filter((name) => api[name]?.signatures.some((signature) => /\): Promise</.test(signature)))

test.each(promising)('%s says what its promise rejects with', (name) => {
  expect(api[name]?.throws.join(' ')).toMatch(/Error/)
})
