import { RadioGroup } from 'radix-ui'
import { useId } from 'react'
import { texts } from '#/renderer/lib/texts'
import { NEW_MESSAGES_FROM, useNewMessagesFrom } from '../mutations'

const words = texts.settings.messagesFrom

/** Who may start to write to the member (MSG-13). */
export function MessagesFromSetting() {
  const id = useId()
  const [chosen, change] = useNewMessagesFrom()
  return (
    <div>
      <p id={id} className="font-medium">
        {words.label}
      </p>
      <p id={`${id}-body`} className="text-[13.5px] text-quiet">
        {words.body}
      </p>
      <RadioGroup.Root
        aria-labelledby={id}
        aria-describedby={`${id}-body`}
        value={chosen}
        onValueChange={(value) => {
          const wanted = NEW_MESSAGES_FROM.find((each) => each === value)
          if (wanted !== undefined) change(wanted)
        }}
        className="-mx-2.5 mt-1.5 grid"
      >
        {NEW_MESSAGES_FROM.map((each) => (
          <label
            key={each}
            htmlFor={`${id}-${each}`}
            className="flex items-start gap-3 rounded-sm px-2.5 py-1.5 hover:bg-sunk"
          >
            <RadioGroup.Item
              id={`${id}-${each}`}
              value={each}
              aria-describedby={`${id}-${each}-body`}
              aria-labelledby={`${id}-${each}-title`}
              className="mt-px grid size-5 shrink-0 place-items-center rounded-full border border-edge bg-raised data-[state=checked]:border-accent"
            >
              <RadioGroup.Indicator className="size-2.5 rounded-full bg-accent" />
            </RadioGroup.Item>
            <span className="min-w-0">
              <span id={`${id}-${each}-title`} className="block">
                {words.options[each].title}
              </span>
              <span id={`${id}-${each}-body`} className="block text-[13.5px] text-quiet">
                {words.options[each].body}
              </span>
            </span>
          </label>
        ))}
      </RadioGroup.Root>
    </div>
  )
}
