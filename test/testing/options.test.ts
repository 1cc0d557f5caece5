import { expect, test } from 'vitest'
import { createPetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'

/** A value that only untyped code can pass. */
const untyped = (options: object): PetstoreServiceOptions => options

test.each<[PetstoreServiceOptions, RegExp]>([
  [{ keys: [] }, /keys must hold at least one API key/],
  [{ keys: [''] }, /The key "" cannot be sent in a header/],
  [{ keys: ['two words'] }, /without spaces/],
  [{ keys: ['clé'] }, /visible ASCII/],
  [untyped({ plan: 'gold' }), /Unknown plan "gold". Use 'free', 'pro', 'business'/],
  [untyped({ plan: 'toString' }), /Unknown plan/],
  [{ plan: [] }, /plan must hold at least one window/],
  [{ plan: [{ limit: 0, per: 1000 }] }, /The limit of a window must be a whole number from 1 .* not 0/],
  [{ plan: [{ limit: 1.5, per: 1000 }] }, /not 1.5/],
  [{ plan: [{ limit: 1, per: 0 }] }, /"per" of a window \(milliseconds\) must be a whole number from 1/],
  [{ plan: [{ limit: 1, per: Infinity }] }, /not Infinity/],
  [{ categories: -1 }, /categories must be a whole number from 0/],
  [{ categories: NaN }, /not NaN/],
  [
    {
      categories: [
        { id: 7, name: 'A' },
        { id: '7', name: 'B' },
      ],
    },
    /Two categories have the id 7/,
  ],
  [{ categories: [{ id: 2 ** 53, name: 'A' }] }, /9007199254740992 is not an exact integer. Write it as a string/],
  [{ categories: [{ id: 2n ** 63n, name: 'A' }] }, /"9223372036854775808" is not an int64/],
  [{ categories: [{ id: '007', name: 'A' }] }, /"007" is not an int64 in plain decimal digits/],
  [untyped({ categories: [{}] }), /categories\[0\] needs a name/],
  [untyped({ categories: [{ name: 'A', description: null }] }), /categories\[0\] has a description/],
  [{ firstId: '1e3' }, /firstId "1e3" is not an int64/],
  [{ firstId: 0.5 }, /firstId 0.5 is not an exact integer/],
  [{ ban: { after: -1 } }, /ban.after must be a whole number from 0/],
  [{ ban: { grace: -1 } }, /ban.grace/],
  [{ ban: { duration: 0 } }, /ban.duration/],
  [{ latency: -1 }, /latency must be a number of milliseconds from 0 to 2147483647, not -1/],
  [{ latency: NaN }, /not NaN/],
  [{ latency: 2 ** 31 }, /not 2147483648/],
])('%o is refused with a reason', (options, message) => {
  expect(() => createPetstoreService(options)).toThrow(message)
})

test.each(['keys', 'plan', 'categories', 'firstId', 'ban', 'latency', 'now', 'sleep'])(
  'null stands for the default of %s',
  async (name) => {
    const service = createPetstoreService(untyped({ [name]: null }))
    expect((await service.fetch(`${service.baseUrl}/categories`)).status).toBe(401) // it works: this sends no key
  },
)

test('an origin that is no valid URL is refused', () => {
  expect(() => createPetstoreService().addresses('localhost')).toThrow(TypeError)
})
