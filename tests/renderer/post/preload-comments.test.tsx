import type { ComponentProps } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import type { IconButton } from '#/renderer/components/IconButton'
import { Comments } from '#/renderer/features/post/components/lazy-comments'
import { PostActions } from '#/renderer/features/post/components/PostActions'
import { texts } from '#/renderer/lib/texts'

type ButtonProps = ComponentProps<typeof IconButton>

const buttons = vi.hoisted(() => new Map<string, unknown>())

vi.mock('#/renderer/components/IconButton', () => ({
  IconButton: (props: ButtonProps) => {
    buttons.set(props.label, props)
    return null
  },
}))
vi.mock('#/renderer/features/sharing', () => ({ ShareButton: () => null }))

test.each(['onPointerEnter', 'onFocus'] as const)(
  'FEED-07 loads the comments with %s of their button',
  (event) => {
    const load = vi.spyOn(Comments, 'load').mockRejectedValue(new TypeError('Failed to fetch'))
    const props = {
      post: { id: 'post', like_count: 0, comment_count: 0 },
      reactions: { isLiked: false, isSaved: false },
    } as ComponentProps<typeof PostActions>
    renderToStaticMarkup(
      <MemoryRouter>
        <PostActions {...props} onComment={() => undefined} />
      </MemoryRouter>,
    )
    expect(load).not.toHaveBeenCalled()
    const button = buttons.get(texts.post.comment) as Record<typeof event, () => void>
    button[event]()
    expect(load).toHaveBeenCalledTimes(1)
    load.mockRestore()
  },
)
