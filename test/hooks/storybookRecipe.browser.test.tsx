import { cleanup, screen } from '@testing-library/react'
import { composeStory, type Meta } from '@storybook/react-vite'
import { afterEach, expect, test } from 'vitest'
import { CategoryList } from '../../src/index.ts'
import { en } from '../../src/labels/en.ts'
import { type ServiceParameters, withPetstore } from './storybookRecipe.tsx'

afterEach(cleanup)

const meta: Meta<typeof CategoryList> = { component: CategoryList, decorators: [withPetstore] }
const storyWith = (petstore: ServiceParameters) => composeStory({ parameters: { petstore } }, meta)

test('the recipe for Storybook: each story has the service of its parameters', async () => {
  await storyWith({ categories: [{ name: 'Dog' }] }).run()
  expect((await screen.findByText('Dog')).isConnected).toBe(true)
  await storyWith({ prepare: (service) => service.failNext({ status: 400 }) }).run()
  expect((await screen.findByText(en.errorNotice.errors['bad-request'].title)).isConnected).toBe(true)
})
