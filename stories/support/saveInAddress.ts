import { UPDATE_STORY_ARGS } from 'storybook/internal/core-events'
import { addons } from 'storybook/preview-api'

/** Makes what someone chooses in a story stand in its address. */
export const saveInAddress = (storyId: string) => (updatedArgs: object) => {
  addons.getChannel().emit(UPDATE_STORY_ARGS, { storyId, updatedArgs })
}
