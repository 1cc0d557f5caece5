import type { ArgTypesEnhancer, SBType, StrictInputType } from 'storybook/internal/types'

/** Options that may also be `undefined` get the control of what else they are; what cannot be typed in gets none. */
export const plainControls: ArgTypesEnhancer = ({ argTypes }) =>
  Object.fromEntries(Object.entries(argTypes).map(([name, argType]) => [name, withPlainControl(argType)]))

function withPlainControl(argType: StrictInputType): StrictInputType {
  const { type } = argType
  const isCode = /=>|ReactNode/.test(type?.raw ?? '')
  return {
    ...argType,
    ...(type && { type: withoutUndefined(type) }),
    ...(isCode && { control: { disable: true } }),
  }
}

function withoutUndefined(type: SBType): SBType {
  if (type.name !== 'union') return type
  const [only, ...others] = type.value.filter((part) => part.name !== 'other' || part.value !== 'undefined')
  return only && others.length === 0 ? { ...only, required: type.required ?? false } : type
}
