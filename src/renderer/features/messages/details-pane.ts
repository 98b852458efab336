import { createDeviceChoice } from '#/renderer/lib/local/device-choice'

/** Whether wide windows show the pane beside a conversation. */
export const detailsPane = createDeviceChoice(
  'vignette.choice.messages-details',
  ['shown', 'hidden'],
  'shown',
)
