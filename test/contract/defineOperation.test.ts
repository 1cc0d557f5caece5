import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation } from '../../src/client.ts'

const output = z.unknown()

describe('defineOperation', () => {
  test('fills in the defaults', () => {
    expect(defineOperation({ name: 'listPets', path: '/pets', output })).toStrictEqual({
      name: 'listPets',
      path: '/pets',
      output,
      method: 'GET',
      base: 'service',
      success: 'any-2xx',
      replay: 'safe',
    })
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('has the default `only-if-refused` for a %s', (method) => {
    const operation = defineOperation({ name: 'change', method, path: '/pets', output })
    expect(operation).toMatchObject({ method, replay: 'only-if-refused' })
  })

  test('keeps explicit values', () => {
    const definition = {
      name: 'removePet',
      method: 'DELETE',
      path: '/pets/{petId}',
      base: 'quickstart',
      input: z.object({ petId: z.string() }),
      output,
      success: [204],
      replay: 'safe',
      stability: 'beta',
      deprecated: true,
    } as const
    expect(defineOperation(definition)).toStrictEqual(definition)
  })

  test.each(['input', 'output'] as const)('refuses an %s that is no schema, at once', (field) => {
    const untyped: object = { [field]: {} }
    expect(() => defineOperation({ name: 'listPets', path: '/pets', output, ...untyped })).toThrow(
      new TypeError(
        `The ${field} of listPets must be a Standard Schema, such as z.object({ … }) of Zod, or z.unknown().`,
      ),
    )
  })

  test('refuses a path with a field that the input does not have, as a type error', () => {
    const input = z.object({ toyId: z.string() })
    // @ts-expect-error the input has no `petId`
    defineOperation({ name: 'getPetToy', path: '/pets/{petId}/toys/{toyId}', input, output })
    // @ts-expect-error there is no input
    defineOperation({ name: 'getToy', path: '/toys/{toyId}', output })
    expect(defineOperation({ name: 'getToy', path: '/toys/{toyId}', input, output })).toMatchObject({ input })
  })

  test('refuses an unknown base, and an empty name', () => {
    expect(() => defineOperation({ name: 'x', path: '/pets', output, base: 'v2' as 'service' })).toThrow(
      'The base of x must be "service" or "quickstart": "v2".',
    )
    expect(() => defineOperation({ name: '', path: '/pets', output })).toThrow(
      new TypeError('An operation needs a name.'),
    )
  })

  test.each(['/', '/pets', '/pets/{petId}', '/pets/{petId}/toys/{toyId}', '/a.b/c~d', '/..a/b..', '/Größe'] as const)(
    'accepts the path "%s"',
    (path) => {
      expect(defineOperation({ name: 'listPets', path, input: z.any(), output })).toMatchObject({ path })
    },
  )

  // A second slash, a backslash or dot segments would take the key out of the base address. URL parsers drop tabs and breaks.
  test.each([
    '//pets',
    '/pets?limit=1',
    '/pets#first',
    '/pets\\first',
    '/\\evil.test',
    '/../admin',
    '/a/%2E%2e/%2e./admin',
    '/./pets',
    '/pets/..',
    '/pets\n/first',
    '/.\t./admin',
    '/pets\r',
  ] as const)('refuses the path "%s"', (path) => {
    expect(() => defineOperation({ name: 'listPets', path, output })).toThrow(
      new TypeError(
        `The path of listPets must start with one "/" and hold no "?", "#", "\\", tab, line break or dot segment: "${path}".`,
      ),
    )
  })

  test.each(['', 'pets', 'https://evil.test'])('refuses the path "%s", which only untyped code can pass', (path) => {
    const untyped: object = { path }
    expect(() => defineOperation({ name: 'listPets', path: '/pets', output, ...untyped })).toThrow(TypeError)
  })
})
