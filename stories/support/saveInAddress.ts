import { UPDATE_STORY_ARGS } from 'storybook/internal/core-events'
import { addons } from 'storybook/preview-api'

/** Updates the args of a story, which Storybook then writes into its address. */
export const saveInAddress = (storyId: string) => (updatedArgs: object) => {
  addons.getChannel().emit(UPDATE_STORY_ARGS, { storyId, updatedArgs })
}
