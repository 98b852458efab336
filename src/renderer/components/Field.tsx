import { type ComponentProps, type ReactNode, useId } from 'react'

export const INPUT_CLASS =
  'h-11 w-full rounded-md border border-edge bg-raised px-3.5 text-[15px] text-ink outline-ink outline-offset-0 aria-invalid:border-accent'

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string
  /** Help text below the field. */
  hint?: string
  error?: string | null
  /** Content inside the field at its end, e.g. a show/hide toggle. */
  end?: ReactNode
}

export function Field({ label, hint, error = null, end, className = '', ...input }: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const note = error ?? hint
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block font-medium text-[13px] text-quiet">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          className={`${INPUT_CLASS} ${end === undefined ? '' : 'pe-12'}`}
          aria-invalid={error !== null || undefined}
          aria-describedby={note === undefined ? undefined : noteId}
          {...input}
        />
        {end !== undefined && <div className="absolute inset-y-0 end-1 flex items-center">{end}</div>}
      </div>
      {note !== undefined && (
        <p
          id={noteId}
          role={error === null ? undefined : 'alert'}
          className={`mt-1.5 text-[12.5px] ${error === null ? 'text-quiet' : 'text-accent'}`}
        >
          {note}
        </p>
      )}
    </div>
  )
}
