import type { StoryContext } from '@storybook/react-vite'

/** The part of Storybook's context that play functions share with their helpers. */
export type PlayContext = Pick<StoryContext, 'canvas' | 'canvasElement' | 'globals' | 'userEvent'>
