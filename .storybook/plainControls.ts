import type { ArgTypesEnhancer, SBType, StrictInputType } from 'storybook/internal/types'

/**
 * Improves the controls of props. An optional prop gets the control of its type without `undefined`, and a prop that
 * takes a function or elements gets none. The table shows types without `undefined`, and defaults as TSDoc states them.
 */
export const plainControls: ArgTypesEnhancer = ({ argTypes }) =>
  Object.fromEntries(Object.entries(argTypes).map(([name, argType]) => [name, withPlainControl(argType)]))

function withPlainControl(argType: StrictInputType): StrictInputType {
  const { type, description = '', table } = argType
  const typeText = stripUndefined(type?.raw ?? (type?.name === 'other' ? type.value : ''))
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

/** `(() => void) | undefined` becomes `() => void`. */
const stripUndefined = (text: string) => text.replace(/ \| undefined$/, '').replace(/^\((\(.*)\)$/, '$1')
