import { postKind } from '#/renderer/features/feed'
import { messageKind } from '#/renderer/features/messages'
import { commentKind } from '#/renderer/features/post'
import { storyKind } from '#/renderer/features/stories'

/** Everything that members send through the outbox. */
export const OUTBOX_KINDS = [messageKind, commentKind, postKind, storyKind]
