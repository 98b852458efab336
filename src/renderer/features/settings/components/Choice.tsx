import { RadioGroup } from 'radix-ui'

interface ChoiceProps<T extends string> {
  'aria-label'?: string
  'aria-labelledby'?: string
  value: T
  values: readonly T[]
  names: Readonly<Record<T, string>>
  onChoose: (value: T) => void
}

/** Radio buttons in one row. */
export function Choice<T extends string>({ value, values, names, onChoose, ...label }: ChoiceProps<T>) {
  return (
    <RadioGroup.Root
      {...label}
      value={value}
      onValueChange={(chosen) => {
        const found = values.find((each) => each === chosen)
        if (found !== undefined) onChoose(found)
      }}
      className="grid auto-cols-fr grid-flow-col gap-1 rounded-md bg-sunk p-1"
    >
      {values.map((each) => (
        <RadioGroup.Item
          key={each}
          value={each}
          className="min-h-9 rounded-sm px-1 leading-tight border border-transparent font-medium text-[14px] text-quiet hover:text-ink data-[state=checked]:border-edge data-[state=checked]:bg-raised data-[state=checked]:text-ink data-[state=checked]:shadow-card"
        >
          {names[each]}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
