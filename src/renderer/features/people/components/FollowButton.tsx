import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '#/renderer/components/Button'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import type { Relation } from '../model'
import { type Followable, toggleFollow, wantedFollows } from '../mutations'
import { useLiveRelation, useRelationQuery } from '../queries/people'

/** Follow, request and undo: optimistic, sent in order, the last press wins (PROF-04). */
export function useFollow(member: Followable) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const { data: known } = useRelationQuery(member.id)
  const isWanted = useStore(wantedFollows(client), (wanted) => wanted.has(member.id))
  useLiveRelation(member.id)
  return {
    /** While it is not known, what it will be after a press that is kept until then. */
    relation: known ?? (isWanted ? (member.is_private ? 'requested' : 'following') : 'none'),
    toggle: () => void toggleFollow(client, me, member),
  }
}

const LABEL: Record<Exclude<Relation, 'none'>, string> = {
  requested: texts.people.requested,
  following: texts.people.unfollow,
}

interface FollowButtonProps {
  member: Followable & { username: string }
  /** Of a member who is not followed. */
  label?: string
  /** In a list of members, the accessible name contains the username. */
  isInList?: boolean
}

/**
 * Follows a public member or sends a request to a private one. Pressed again it undoes that, after a confirmation if it
 * cannot be undone.
 */
export function FollowButton({ member, label = texts.people.follow, isInList = false }: FollowButtonProps) {
  const { relation, toggle } = useFollow(member)
  const [isAsking, setIsAsking] = useState(false)
  const handlePress = () => {
    if (relation === 'following' && member.is_private) setIsAsking(true)
    else toggle()
  }
  const handleConfirm = () => {
    setIsAsking(false)
    // The follow may have ended meanwhile: a toggle would then send a request.
    if (relation === 'following') toggle()
  }
  return (
    <>
      <Button
        variant={relation === 'none' ? 'primary' : 'secondary'}
        onClick={handlePress}
        title={relation === 'requested' ? texts.people.cancelRequest : undefined}
        className={isInList ? 'h-8! px-3.5! text-[13.5px]!' : ''}
      >
        {relation === 'none' ? label : LABEL[relation]}
        {isInList && <span className="sr-only"> {member.username}</span>}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.people.unfollowTitle(member.username)}
          body={texts.people.unfollowBody}
          action={texts.people.unfollow}
          onConfirm={handleConfirm}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
