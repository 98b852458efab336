import { ArrowLeft, PanelRight, Search, User } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { IconButton } from '#/renderer/components/IconButton'
import { lazyDialog } from '#/renderer/components/lazy-contained'
import { MENU_ITEM_CLASS } from '#/renderer/components/menu'
import { OptionsMenu } from '#/renderer/components/OptionsMenu'
import { MemberMenuItems } from '#/renderer/features/safety'
import { offerPageSearch } from '#/renderer/lib/browser/page-search-store'
import { useHasPane } from '#/renderer/lib/layout/layout'
import { texts } from '#/renderer/lib/texts'
import { detailsPane } from '../details-pane'
import { type Conversation, isOpen, type Pair } from '../model/conversation'
import { useActivityText } from '../queries/activity'
import { useTitle } from '../queries/names'
import { actionsFor, ConversationMenuItems, useConversationActions } from './ConversationMenu'
import { ConversationPicture } from './ConversationPicture'

interface ConversationHeaderProps {
  conversation: Conversation
  /** Whether the other member has this conversation open. */
  isOtherHere: boolean
  onClose: () => void
}

/** The other member, and when they were last active; or the group. */
export function ConversationHeader({ conversation, isOtherHere, onClose }: ConversationHeaderProps) {
  const { name } = useTitle(conversation)
  const { kind } = conversation
  const pair = kind === 'pair' && isOpen(conversation) ? conversation : null
  const other = pair?.other ?? null
  const hasOptions =
    !conversation.isGone && (kind === 'pair' ? other !== null : actionsFor(conversation).length > 0)
  return (
    <header className="flex h-15 shrink-0 items-center gap-3 border-line border-b px-3.5">
      <IconButton
        label={texts.messages.backToList}
        onClick={onClose}
        className="-ms-2 md:hidden rtl:-scale-x-100"
      >
        <ArrowLeft />
      </IconButton>
      <ConversationPicture conversation={conversation} size={38} />
      <div className="@container min-w-0 flex-1 leading-tight">
        {pair === null || other === null ? (
          <h2
            dir="auto"
            className={`w-fit max-w-full truncate font-semibold text-[14.5px] ${isOpen(conversation) ? '' : 'text-quiet'}`}
          >
            {name}
          </h2>
        ) : (
          <>
            <h2 className="font-semibold text-[14.5px]">
              <Link
                to={`/profile/${other.username}`}
                className="block w-fit max-w-full truncate rounded-sm underline-offset-3 hover:underline"
              >
                {other.username}
              </Link>
            </h2>
            <Status conversation={pair} fullName={other.full_name} isHere={isOtherHere} />
          </>
        )}
      </div>
      <SearchButton
        conversationId={conversation.id}
        title={kind === 'pair' ? texts.messages.searchIn(name) : texts.messages.searchInGroup(name)}
      />
      {other !== null && <DetailsButton />}
      {hasOptions && <Options conversation={conversation} />}
    </header>
  )
}

const ConversationSearchDialog = lazyDialog(
  () => import('./ConversationSearchDialog'),
  'ConversationSearchDialog',
)

interface SearchButtonProps {
  conversationId: string
  title: string
}

function SearchButton({ conversationId, title }: SearchButtonProps) {
  const [isSearching, setIsSearching] = useState(false)
  useEffect(() => offerPageSearch(() => setIsSearching(true)), [])
  return (
    <>
      <IconButton
        label={texts.messages.searchConversation}
        aria-haspopup="dialog"
        onClick={() => setIsSearching(true)}
        className="text-quiet"
      >
        <Search />
      </IconButton>
      {isSearching && (
        <ConversationSearchDialog
          conversationId={conversationId}
          title={title}
          onClose={() => setIsSearching(false)}
        />
      )}
    </>
  )
}

/** Shows or hides the pane of details, in windows with room for it. */
function DetailsButton() {
  const choice = detailsPane.useChoice()
  if (!useHasPane()) return null
  return (
    <IconButton
      label={texts.messages.details}
      aria-pressed={choice === 'shown'}
      onClick={() => detailsPane.choose(choice === 'shown' ? 'hidden' : 'shown')}
      className="text-quiet aria-pressed:text-ink rtl:-scale-x-100"
    >
      <PanelRight />
    </IconButton>
  )
}

interface StatusProps {
  conversation: Pair
  fullName: string
  isHere: boolean
}

/** The full name, and when the member was last active; only the latter where there is no room for a part of the name. */
function Status({ conversation, fullName, isHere }: StatusProps) {
  const activity = useActivityText(conversation, isHere)
  const besideActivity = activity === null ? '' : '@max-[14rem]:hidden'
  return (
    <p className="mt-0.5 flex text-[12.5px] text-quiet">
      <span dir="auto" className={`truncate ${besideActivity}`}>
        {fullName}
      </span>
      {activity !== null && (
        <span className="flex shrink-0">
          {fullName !== '' && (
            <span aria-hidden="true" className={`whitespace-pre ${besideActivity}`}>
              {' · '}
            </span>
          )}
          {activity}
        </span>
      )}
    </p>
  )
}

/** Actions for the conversation, and for the other member of a pair. */
function Options({ conversation }: { conversation: Conversation }) {
  const navigate = useNavigate()
  const member = conversation.kind === 'pair' ? conversation.other : null
  const { choose, element } = useConversationActions()
  return (
    <>
      <OptionsMenu label={texts.messages.conversationOptions} className="text-quiet">
        {member !== null && (
          <DropdownMenu.Item
            className={MENU_ITEM_CLASS}
            onSelect={() => navigate(`/profile/${member.username}`)}
          >
            <User aria-hidden="true" />
            {texts.messages.viewProfile}
          </DropdownMenu.Item>
        )}
        <ConversationMenuItems
          conversation={conversation}
          onChoose={(action) => choose(conversation, action)}
        />
        {member !== null && (
          <>
            <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
            <MemberMenuItems member={member} />
          </>
        )}
      </OptionsMenu>
      {element}
    </>
  )
}
