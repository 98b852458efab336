import type { ReactElement } from 'react'
import { expect, test, vi } from 'vitest'
import { PostFields } from '#/renderer/components/PostFields'
import { PhotoPreview } from '#/renderer/features/messages/components/DraftPreviews'
import { AltText } from '#/renderer/features/post/components/FeedPhotos'
import { PrivateNotice } from '#/renderer/features/profile/components/PrivateNotice'
import { ReportDialog } from '#/renderer/features/safety/components/ReportDialog'
import type { StoredMedia } from '#/renderer/lib/media-store'
import { texts } from '#/renderer/lib/texts'
import { pageText, show } from '#tests/renderer/dom'

vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me' }) }))

const nothing = () => undefined
const FIELDS = {
  me: 'me',
  words: { content: '', location: '', altText: '' },
  onChange: nothing,
  isLocked: false,
}

const DESCRIBED: StoredMedia = {
  source: { kind: 'inline', url: null, preview: null },
  width: 3,
  height: 2,
  altText: 'A lake',
  video: null,
}

test.each<[string, ReactElement, string[]]>([
  ['SET-04 a private account', <PrivateNotice key="it" hasAsked={false} />, [texts.profile.privateBody]],
  [
    'SET-04 a private account that was asked',
    <PrivateNotice key="it" hasAsked />,
    [texts.profile.privateAsked],
  ],
  [
    'CREATE-02 the fields of a photo',
    <PostFields key="it" {...FIELDS} hasPicture />,
    [texts.composer.altPlaceholder],
  ],
  [
    'FEED-03 a described photo',
    <AltText key="it" photo={DESCRIBED} isAlone />,
    [texts.post.altHint, texts.post.alt],
  ],
  [
    'FEED-03 a described video',
    <AltText
      key="it"
      photo={{ ...DESCRIBED, video: { path: 'v', durationMs: 1, hasSound: true, hasCaptions: false } }}
      isAlone
    />,
    [texts.post.altOfVideoHint, texts.post.alt],
  ],
  [
    'MSG-11 a photo that is made ready',
    <PhotoPreview key="it" photo={{ state: 'working', progress: 0.5, preview: null }} onRemove={nothing} />,
    [texts.messages.preparingPhoto, texts.cancel],
  ],
])('%s says what it is about', (_what, element, words) => {
  show(element)
  const page = pageText()
  for (const each of words) expect(page).toContain(each)
})

test('SAFE-03 the report dialog shows who reads reports, and every reason', () => {
  const member = { id: 'ada', username: 'ada' }
  show(<ReportDialog member={member} postId={null} onClose={nothing} />)
  const page = pageText()
  for (const words of [texts.safety.reportBody, texts.safety.reasonLabel, texts.safety.detailsLabel])
    expect(page).toContain(words)
  for (const reason of [
    'Spam or fraud',
    'Nudity or sexual content',
    'Hate',
    'Violence or danger',
    'Bullying or harassment',
    'False information',
    'Something else',
  ])
    expect(page).toContain(reason)
})
