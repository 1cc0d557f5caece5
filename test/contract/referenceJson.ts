/**
 * The expected result of `parseExactJson`, written from RFC 8259 alone: one function per rule of its grammar, character by
 * character, without `JSON.parse`. It is slow and recursive, for tests only.
 */
export function referenceJson(text: string): unknown {
  let at = 0

  function refuse(): never {
    throw new SyntaxError(`Not JSON at ${at}`)
  }
  function take(expected: string): boolean {
    if (!text.startsWith(expected, at)) return false
    at += expected.length
    return true
  }
  function need(expected: string): void {
    if (!take(expected)) refuse()
  }
  function space(): void {
    while (take(' ') || take('\t') || take('\n') || take('\r'));
  }

  function value(): unknown {
    space()
    const result = bareValue()
    space()
    return result
  }
  function bareValue(): unknown {
    if (take('null')) return null
    if (take('true')) return true
    if (take('false')) return false
    if (take('{')) return object()
    if (take('[')) return array()
    if (take('"')) return string()
    return number()
  }

  function object(): object {
    const result = {}
    space()
    if (take('}')) return result
    do {
      space()
      need('"')
      const key = string()
      space()
      need(':')
      // An assignment to `__proto__` would set the prototype. The last of two equal keys wins.
      Object.defineProperty(result, key, { value: value(), writable: true, enumerable: true, configurable: true })
    } while (take(','))
    need('}')
    return result
  }

  function array(): unknown[] {
    const result: unknown[] = []
    space()
    if (take(']')) return result
    do result.push(value())
    while (take(','))
    need(']')
    return result
  }

  function string(): string {
    let result = ''
    while (!take('"')) {
      const char = text.charAt(at)
      if (char < ' ') refuse() // includes the end of the text
      at++
      result += char === '\\' ? escaped() : char
    }
    return result
  }
  function escaped(): string {
    const char = text.charAt(at++)
    switch (char) {
      case '"':
      case '\\':
      case '/':
        return char
      case 'b':
        return '\b'
      case 'f':
        return '\f'
      case 'n':
        return '\n'
      case 'r':
        return '\r'
      case 't':
        return '\t'
      case 'u': {
        const hex = text.slice(at, at + 4)
        if (!/^[0-9a-fA-F]{4}$/.test(hex)) refuse()
        at += 4
        return String.fromCharCode(Number.parseInt(hex, 16))
      }
      default:
        return refuse()
    }
  }

  function number(): number | string {
    const start = at
    take('-')
    if (!take('0')) digits()
    let integer = true
    if (take('.')) {
      integer = false
      digits()
    }
    if (take('e') || take('E')) {
      integer = false
      if (!take('-')) take('+')
      digits()
    }
    const literal = text.slice(start, at)
    const unsafe = integer && literal !== '-0' && !Number.isSafeInteger(Number(BigInt(literal)))
    return unsafe ? literal : Number(literal)
  }
  function digits(): void {
    const start = at
    while (text.charAt(at) >= '0' && text.charAt(at) <= '9') at++
    if (at === start) refuse()
  }

  const result = value()
  if (at < text.length) refuse()
  return result
}
