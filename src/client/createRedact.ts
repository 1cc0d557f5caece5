import { unescapeLayer } from './unescapeLayer.ts'

/** Removes the API key from a text of others, in case they repeat it. */
export type Redact = (text: string) => string

/** In characters. The base64 of a shorter key is likely to be a part of other words. As in `loadRedact`. */
const minLengthForBase64 = 8

/** How many layers of escapes are removed, such as those of JSON in JSON in an address. */
const maxLayers = 8

/**
 * Finds the key as it is, in base64 with whatever stands before and after it, and either of them escaped, also several
 * times. Takes time in proportion to the text. Where an escaped key was found, the rest of the text is without those
 * escapes, too.
 */
export function createRedact(key: string | undefined): Redact {
  if (!key) return (text) => text
  const plain = [key]
  // A text may have escaped a key that looks like an escape itself.
  for (let form = unescapeLayer(key); form.length >= minLengthForBase64 && !plain.includes(form); ) {
    plain.push(form)
    form = unescapeLayer(form)
  }
  const base64 = key.length < minLengthForBase64 ? [] : [0, 1, 2].map((offset) => base64At(offset, key))
  const forms = [...plain, ...base64, ...base64.map(toAddressForm)]
  // The characters beside base64 have some bits of the key.
  const patterns = forms.map((form) => (plain.includes(form) ? literal(form) : `[\\w+/-]?${literal(form)}[\\w+/-]?=*`))
  const occurrences = new RegExp(patterns.join('|'), 'g')

  return (text) => {
    let result = text
    let layer = text
    for (let layers = 0; layers <= maxLayers; layers += 1) {
      const current = layer
      if (forms.some((form) => current.includes(form))) {
        layer = layer.replace(occurrences, '[API key]')
        result = layer
      }
      const next = unescapeLayer(layer)
      if (next === layer) break
      layer = next
    }
    return result
  }
}

/** The part of the base64 that does not depend on what stands around the key, after so many other bytes modulo 3. */
function base64At(offset: number, key: string): string {
  const text = btoa('.'.repeat(offset) + key)
  return text.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + key.length) * 4) / 3))
}

const literal = (text: string) => text.replaceAll(/\W/g, String.raw`\$&`)

const toAddressForm = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_')
