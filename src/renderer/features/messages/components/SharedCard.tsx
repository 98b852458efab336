import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { Avatar, type AvatarMember } from '#/renderer/components/Avatar'
import { MemberNames } from '#/renderer/components/MemberNames'
import { Picture } from '#/renderer/components/Picture'
import { VideoMark } from '#/renderer/components/VideoMark'
import { CellText } from '#/renderer/features/post'
import { StoryLink } from '#/renderer/features/stories'
import { useConnection } from '#/renderer/lib/live'
import { thumbnailSource } from '#/renderer/lib/media-store'
import { modalLink } from '#/renderer/lib/navigation/modal-route'
import { texts } from '#/renderer/lib/texts'
import type { Message } from '../message'
import { sharedIn } from '../model/shared'
import { lineOf } from '../model/snippet'
import { useSharedPostQuery, useSharedProfileQuery, useSharedStoryQuery } from '../queries/shared'

/**
 * The post, story or profile that a message shares, as a card that opens it. It shows what this member may see, and otherwise
 * only that it is not available.
 */
export function SharedCard({ message }: { message: Message }) {
  const shared = sharedIn(message)
  switch (shared?.kind) {
    case 'post':
      return <PostCard id={shared.id} />
    case 'story':
      return <StoryCard id={shared.id} />
    case 'profile':
      return <ProfileCard id={shared.id} />
    default:
      return null
  }
}

const CARD_CLASS = 'overflow-hidden rounded-lg border border-line bg-raised text-start hover:bg-sunk'

function Unavailable({ children }: { children: string }) {
  return <p className="rounded-md border border-line px-3 py-2.5 text-[13.5px] text-quiet">{children}</p>
}

/** The author above the content of a card. */
function Author({ member }: { member: AvatarMember | undefined }) {
  return (
    <span className="flex h-11 items-center gap-2 px-2.5">
      {member === undefined ? (
        <span className="size-6.5 rounded-full bg-lifted" />
      ) : (
        <Avatar member={member} size={26} />
      )}
      <span className="truncate font-semibold text-[13.5px]">{member?.username}</span>
    </span>
  )
}

/** While the connection is lost, what is not loaded would stay an empty frame. */
function useIsUnreachable(data: unknown): boolean {
  return useConnection().state === 'lost' && data === undefined
}

function PostCard({ id }: { id: string | null }) {
  const location = useLocation()
  const { data: post } = useSharedPostQuery(id)
  const isUnreachable = useIsUnreachable(post)
  if (id === null) return <Unavailable>{texts.messages.shared.post.deleted}</Unavailable>
  if (post === null) return <Unavailable>{texts.messages.shared.post.hidden}</Unavailable>
  if (isUnreachable) return <Unavailable>{texts.messages.shared.offline}</Unavailable>
  const photo = post?.media.find(({ position }) => position === 0)
  const picture = post && thumbnailSource(photo?.grid_path, photo?.thumbhash, post.thumbnail_url)
  return (
    // As high while it is loading as with any post: the messages above would move.
    <Link {...modalLink(location, 'post', id)} className={`flex h-80 w-60 max-w-full flex-col ${CARD_CLASS}`}>
      <span className="sr-only">{texts.messages.shared.post.open}</span>
      <Author member={post?.author} />
      <span className="@container relative block min-h-0 flex-1 bg-lifted">
        {picture && <Picture source={picture} alt="" sizes="276px" fit="cover" className="size-full" />}
        {photo?.kind === 'video' && (
          <VideoMark durationMs={photo.duration_ms} className="absolute end-2 top-2" />
        )}
        {picture === null && <CellText>{post?.content ?? ''}</CellText>}
      </span>
      {picture && post.content !== '' && (
        <span
          dir="auto"
          className="mx-2.5 my-2 line-clamp-2 shrink-0 text-[13.5px] leading-snug [overflow-wrap:anywhere]"
        >
          {lineOf(post.content)}
        </span>
      )}
    </Link>
  )
}

function StoryCard({ id }: { id: string | null }) {
  const { data: story } = useSharedStoryQuery(id)
  const isUnreachable = useIsUnreachable(story)
  if (id === null || story === null) return <Unavailable>{texts.messages.story.gone}</Unavailable>
  if (isUnreachable) return <Unavailable>{texts.messages.shared.offline}</Unavailable>
  const picture =
    story &&
    thumbnailSource(story.poster_path, story.thumbhash, story.thumbnail_url, 'poster', story.expires_at)
  return (
    <StoryLink id={id} className={`block w-36 max-w-full ${CARD_CLASS}`}>
      <span className="sr-only">{texts.messages.story.open}</span>
      <Author member={story?.author} />
      <span className="block aspect-9/16 bg-lifted">
        {picture && <Picture source={picture} alt="" sizes="144px" fit="cover" className="size-full" />}
      </span>
    </StoryLink>
  )
}

function ProfileCard({ id }: { id: string | null }) {
  const { data: profile } = useSharedProfileQuery(id)
  const isUnreachable = useIsUnreachable(profile)
  if (id === null || profile === null)
    return <Unavailable>{texts.messages.shared.profile.hidden}</Unavailable>
  if (isUnreachable) return <Unavailable>{texts.messages.shared.offline}</Unavailable>
  if (profile === undefined) return <ProfileFrame />
  return (
    <Link to={`/profile/${profile.username}`} className={`block w-60 max-w-full ${CARD_CLASS}`}>
      <ProfileFrame>
        <Avatar member={profile} size={44} />
        <MemberNames username={profile.username} fullName={profile.full_name} />
      </ProfileFrame>
    </Link>
  )
}

function ProfileFrame({ children }: { children?: ReactNode }) {
  return <span className="flex h-16 w-60 max-w-full items-center gap-3 px-3">{children}</span>
}
