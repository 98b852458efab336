import {
  Flag,
  Hash,
  Lamp,
  type LucideIcon,
  PawPrint,
  Plane,
  Smile,
  Trophy,
  UserRound,
  Utensils,
} from 'lucide-react'
import { Popover } from 'radix-ui'
import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { returnFocusToTrigger } from '#/renderer/lib/browser/focus'
import {
  EMOJI_GROUPS,
  type Emoji,
  type GridPlace,
  moveInGrid,
  SKIN_TONES,
  type SkinTone,
  searchEmojis,
  toEmojis,
  withTone,
} from '#/renderer/lib/content/emojis'
import { recentEmojis, rememberEmoji, rememberSkinTone, skinTone } from '#/renderer/lib/content/recent-emojis'
import { texts } from '#/renderer/lib/texts'
import { IconButton } from './IconButton'

const COLUMNS = 8
/** Height of a row of emojis, in pixels. */
const ROW = 40

type GroupId = keyof typeof texts.emoji.groups

const ICONS: Record<GroupId, LucideIcon> = {
  smileys_emotion: Smile,
  people_body: UserRound,
  animals_nature: PawPrint,
  food_drink: Utensils,
  travel_places: Plane,
  activities: Trophy,
  objects: Lamp,
  symbols: Hash,
  flags: Flag,
}

interface Section {
  id: string
  title: string
  emojis: readonly Emoji[]
}

const GROUPS: readonly Section[] = EMOJI_GROUPS.map(({ id, emojis }) => ({
  id,
  title: texts.emoji.groups[id as GroupId],
  emojis,
}))

function sectionsOf(query: string, recent: readonly Emoji[]): readonly Section[] {
  if (query.trim() !== '') {
    const emojis = searchEmojis(query)
    return emojis.length === 0 ? [] : [{ id: 'found', title: texts.emoji.found, emojis }]
  }
  return recent.length === 0
    ? GROUPS
    : [{ id: 'recent', title: texts.emoji.recent, emojis: recent }, ...GROUPS]
}

interface EmojiPickerProps {
  trigger: ReactElement
  me: string
  field: RefObject<HTMLTextAreaElement | null>
  onChoose: (character: string) => void
}

/** The emojis, open on its first render, for `LazyPopup`. The focus returns to the field. */
export function EmojiPicker({ trigger, me, field, onChoose }: EmojiPickerProps) {
  const [isOpen, setIsOpen] = useState(true)
  const handleChoose = (emoji: Emoji, tone: SkinTone) => {
    rememberEmoji(me, emoji.character)
    onChoose(withTone(emoji, tone))
    setIsOpen(false)
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      {/* In a landmark, as the field; not in a dialog, which would cut it off. */}
      <Popover.Portal container={field.current?.closest('main')}>
        <Popover.Content
          side="top"
          align="end"
          sideOffset={8}
          collisionPadding={12}
          aria-label={texts.emoji.choose}
          onCloseAutoFocus={(event) => {
            returnFocusToTrigger(event)
            if (event.defaultPrevented) return
            event.preventDefault()
            field.current?.focus({ preventScroll: true })
          }}
          className="z-50 flex h-[min(24rem,var(--radix-popover-content-available-height))] w-[min(22rem,calc(100vw-24px))] animate-appear flex-col overflow-hidden rounded-lg border border-line bg-raised text-ink shadow-card"
        >
          <EmojiGrid me={me} onChoose={handleChoose} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

type ArrowKey = Parameters<typeof moveInGrid>[3]
const ARROWS: readonly string[] = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] satisfies ArrowKey[]

interface EmojiGridProps {
  me: string
  onChoose: (emoji: Emoji, tone: SkinTone) => void
}

/** The search field keeps the focus; arrow keys move among the emojis. */
function EmojiGrid({ me, onChoose }: EmojiGridProps) {
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [recent] = useState(() => toEmojis(recentEmojis(me)))
  const [query, setQuery] = useState('')
  const [tone, setTone] = useState(() => skinTone(me))
  const [active, setActive] = useState<GridPlace>({ section: 0, index: 0 })
  const sections = sectionsOf(query, recent)
  const optionId = ({ section, index }: GridPlace) => `${listId}-${section}-${index}`
  const activeEmoji = sections[active.section]?.emojis[active.index]

  const moveTo = (place: GridPlace, block: ScrollLogicalPosition) => {
    setActive(place)
    document.getElementById(optionId(place))?.scrollIntoView({ block })
  }
  const search = (text: string) => {
    setQuery(text)
    setActive({ section: 0, index: 0 })
    list.current?.scrollTo({ top: 0 })
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      if (activeEmoji !== undefined) onChoose(activeEmoji, tone)
    } else if (ARROWS.includes(event.key) && activeEmoji !== undefined) {
      event.preventDefault()
      const sizes = sections.map(({ emojis }) => emojis.length)
      moveTo(moveInGrid(sizes, COLUMNS, active, event.key as ArrowKey), 'nearest')
    }
  }
  const changeTone = (chosen: SkinTone) => {
    rememberSkinTone(me, chosen)
    setTone(chosen)
  }
  const showGroup = (id: string) => {
    setQuery('')
    const section = sectionsOf('', recent).findIndex((each) => each.id === id)
    setActive({ section, index: 0 })
    input.current?.focus()
    // Wait until the groups are shown again instead of the results.
    requestAnimationFrame(() =>
      document.getElementById(`${listId}-${id}`)?.scrollIntoView({ block: 'start' }),
    )
  }

  return (
    <>
      <div className="flex gap-1.5 p-2.5 pb-1.5">
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={texts.emoji.search}
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={activeEmoji === undefined ? undefined : optionId(active)}
          placeholder={texts.emoji.search}
          value={query}
          onChange={({ target }) => search(target.value)}
          onKeyDown={handleKeyDown}
          className="h-9 min-w-0 flex-1 rounded-md border border-edge bg-paper px-3 text-[14px] outline-ink"
        />
        <ToneChoice tone={tone} onChange={changeTone} onClose={() => input.current?.focus()} />
      </div>
      <fieldset aria-label={texts.emoji.categories} className="flex min-w-0 justify-between px-2 pb-1">
        {GROUPS.map(({ id, title }) => {
          const Icon = ICONS[id as GroupId]
          return (
            <IconButton
              key={id}
              label={title}
              size="small"
              onClick={() => showGroup(id)}
              className="size-8! text-quiet"
            >
              <Icon aria-hidden="true" />
            </IconButton>
          )
        })}
      </fieldset>
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={texts.emoji.list}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain border-line border-t px-2 pb-2"
      >
        {sections.map(({ id, title, emojis }, section) => (
          <fieldset
            key={id}
            id={`${listId}-${id}`}
            aria-labelledby={`${listId}-${id}-title`}
            style={{ containIntrinsicSize: `auto ${32 + Math.ceil(emojis.length / COLUMNS) * ROW}px` }}
            className="min-w-0 [content-visibility:auto]"
          >
            <p
              id={`${listId}-${id}-title`}
              className="flex h-8 items-center px-1 font-semibold text-[12.5px] text-quiet"
            >
              {title}
            </p>
            <div className="grid grid-cols-8">
              {emojis.map((emoji, index) => {
                const name = nameOf(emoji, tone)
                const isActive = section === active.section && index === active.index
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys.
                  <div
                    key={emoji.character}
                    id={optionId({ section, index })}
                    role="option"
                    tabIndex={-1}
                    aria-selected={isActive}
                    aria-label={name}
                    title={name}
                    onPointerMove={() => setActive({ section, index })}
                    onClick={() => onChoose(emoji, tone)}
                    className="grid h-10 cursor-pointer place-items-center overflow-hidden rounded-md text-[24px] leading-none aria-selected:bg-sunk aria-selected:outline-2 aria-selected:outline-ink aria-selected:-outline-offset-2"
                  >
                    <span aria-hidden="true">{withTone(emoji, tone)}</span>
                  </div>
                )
              })}
            </div>
          </fieldset>
        ))}
      </div>
      <p
        role="status"
        className={sections.length === 0 ? 'px-4 pb-24 text-center text-[14px] text-quiet' : 'sr-only'}
      >
        {query.trim() !== '' && texts.emoji.results(sections[0]?.emojis.length ?? 0)}
      </p>
    </>
  )
}

function nameOf({ name, hasTones }: Emoji, tone: SkinTone): string {
  return hasTones && tone !== 'none' ? `${name}, ${texts.emoji.tones[tone].toLowerCase()}` : name
}

const HAND = toEmojis(['✋'])

interface ToneChoiceProps {
  tone: SkinTone
  onChange: (tone: SkinTone) => void
  /** Called when the tones close because one was chosen. */
  onClose: () => void
}

/** A hand in the chosen skin tone; it opens the tones. Arrow keys change the tone, Enter or a click closes them. */
function ToneChoice({ tone, onChange, onClose }: ToneChoiceProps) {
  const [isOpen, setIsOpen] = useState(false)
  const tones = useRef<HTMLFieldSetElement>(null)
  const name = useId()
  useLayoutEffect(() => {
    if (isOpen) tones.current?.querySelector<HTMLElement>(':checked')?.focus()
  }, [isOpen])
  const hand = (shown: SkinTone) => HAND.map((emoji) => withTone(emoji, shown))
  const close = () => {
    setIsOpen(false)
    onClose()
  }
  if (!isOpen) {
    return (
      <IconButton
        label={`${texts.emoji.tone}: ${texts.emoji.tones[tone].toLowerCase()}`}
        aria-expanded={false}
        size="medium"
        onClick={() => setIsOpen(true)}
        className="text-[20px] leading-none"
      >
        <span aria-hidden="true">{hand(tone)}</span>
      </IconButton>
    )
  }
  return (
    <fieldset ref={tones} aria-label={texts.emoji.tone} className="flex">
      {SKIN_TONES.map((each) => (
        <label
          key={each}
          title={texts.emoji.tones[each]}
          className="grid h-9 w-8 cursor-pointer place-items-center rounded-md text-[20px] leading-none hover:bg-sunk has-focus-visible:outline-2 has-focus-visible:outline-ink has-checked:bg-sunk"
        >
          <input
            type="radio"
            name={name}
            aria-label={texts.emoji.tones[each]}
            checked={each === tone}
            onChange={() => onChange(each)}
            // A click with detail 0 comes from an arrow key.
            onClick={({ detail }) => detail > 0 && close()}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              close()
            }}
            className="sr-only"
          />
          <span aria-hidden="true">{hand(each)}</span>
        </label>
      ))}
    </fieldset>
  )
}
