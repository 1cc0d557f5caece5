import type { ArgTypesEnhancer, SBType, StrictInputType } from 'storybook/internal/types'

/**
 * Improves the controls of props. A prop that is optional gets the control of its type, and a prop that takes code gets
 * none. The table shows types as the source writes them, and defaults as the TSDoc states them.
 */
export const plainControls: ArgTypesEnhancer = ({ argTypes }) =>
  Object.fromEntries(Object.entries(argTypes).map(([name, argType]) => [name, withPlainControl(argType)]))

function withPlainControl(argType: StrictInputType): StrictInputType {
  const { type, description = '', table } = argType
  const typeText = withoutUndefinedText(type?.raw ?? (type?.name === 'other' ? type.value : ''))
  const takesCode = /=>|ReactNode/.test(typeText)
  const [, defaultValue] = /Default `([^`]+)`/.exec(description) ?? []
  return {
    ...argType,
    table: {
      ...table,
      ...(typeText && { type: { summary: typeText } }),
      ...(defaultValue && { defaultValue: { summary: defaultValue } }),
    },
    ...(type && { type: withoutUndefined(type) }),
    ...(takesCode && { control: { disable: true } }),
  }
}

function withoutUndefined(type: SBType): SBType {
  if (type.name !== 'union') return type
  const [only, ...others] = type.value.filter((part) => part.name !== 'other' || part.value !== 'undefined')
  return only && others.length === 0 ? { ...only, required: type.required ?? false } : type
}

const withoutUndefinedText = (text: string) => text.replace(/ \| undefined$/, '').replace(/^\((\(.*)\)$/, '$1')
