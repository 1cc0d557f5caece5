import type { ArgTypesEnhancer, SBType, StrictInputType } from 'storybook/internal/types'

/**
 * Options that may also be `undefined` get the control of what else they are; what cannot be typed in gets none. Types
 * stand as they are written, and defaults as the comments tell them.
 */
export const plainControls: ArgTypesEnhancer = ({ argTypes }) =>
  Object.fromEntries(Object.entries(argTypes).map(([name, argType]) => [name, withPlainControl(argType)]))

function withPlainControl(argType: StrictInputType): StrictInputType {
  const { type, description = '', table } = argType
  const written = withoutUndefinedText(type?.raw ?? (type?.name === 'other' ? type.value : ''))
  const isCode = /=>|ReactNode/.test(written)
  const [, defaultValue] = /Default `([^`]+)`/.exec(description) ?? []
  return {
    ...argType,
    table: {
      ...table,
      ...(written && { type: { summary: written } }),
      ...(defaultValue && { defaultValue: { summary: defaultValue } }),
    },
    ...(type && { type: withoutUndefined(type) }),
    ...(isCode && { control: { disable: true } }),
  }
}

function withoutUndefined(type: SBType): SBType {
  if (type.name !== 'union') return type
  const [only, ...others] = type.value.filter((part) => part.name !== 'other' || part.value !== 'undefined')
  return only && others.length === 0 ? { ...only, required: type.required ?? false } : type
}

const withoutUndefinedText = (text: string) => text.replace(/ \| undefined$/, '').replace(/^\((\(.*)\)$/, '$1')
