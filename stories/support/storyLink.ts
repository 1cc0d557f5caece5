type ArgValue = string | number
/** Args that an address can hold: values, and objects of values, such as a color for each scheme. */
export type StoryArgs = Readonly<Record<string, ArgValue | Readonly<Record<string, ArgValue>>>>

/** An address of the playground that opens a story with these args. */
export function storyLink(storyId: string, args: StoryArgs): string {
  const parts = Object.entries(args).flatMap(([name, value]) =>
    typeof value === 'object'
      ? Object.entries(value).map(([key, part]) => `${name}.${key}:${encode(part)}`)
      : `${name}:${encode(value)}`,
  )
  return new URL(`./?path=/story/${storyId}${parts.length > 0 ? `&args=${parts.join(';')}` : ''}`, location.href).href
}

/** Writes colors as Storybook does: a # would begin the fragment. */
const encode = (value: ArgValue) => String(value).replace(/^#(.*)$/, '!hex($1)')
