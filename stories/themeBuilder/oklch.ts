import { colorParts, linear, type Parts } from '../docs/readTokens.ts'

/*
 * CSS Color 4, "sample code for color conversions": sRGB to Oklab and back. Colors of one lightness in it look equally
 * light, so a neutral can change its tint and keep its contrast.
 */

const encoded = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055)

function toOklab(color: string): Parts {
  const [red, green, blue] = colorParts(color)
  const [r, g, b] = [linear(red), linear(green), linear(blue)]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function toHex([lightness, a, b]: Parts): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const parts = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const digits = parts.map((part) => Math.round(Math.min(1, Math.max(0, encoded(Math.max(0, part)))) * 255))
  return `#${digits.map((digit) => digit.toString(16).padStart(2, '0')).join('')}`
}

/** The hue of a color, in degrees. */
export function hueOf(color: string): number {
  const [, a, b] = toOklab(color)
  return (Math.atan2(b, a) * 180) / Math.PI
}

/** The variant of a light theme's color for a dark theme: light enough to be seen there, a little paler, of the same hue. */
export function darkVariant(color: string): string {
  const [lightness, a, b] = toOklab(color)
  return lightness >= 0.75 ? color : toHex([0.76, a * 0.75, b * 0.75])
}

/**
 * The color with another hue and the same lightness.
 *
 * @param hue - in degrees
 * @param strength - the share of its chroma that the color keeps; 0 makes it gray
 */
export function tint(color: string, hue: number, strength: number): string {
  const [lightness, a, b] = toOklab(color)
  const chroma = Math.hypot(a, b) * strength
  const angle = (hue * Math.PI) / 180
  return toHex([lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)])
}
