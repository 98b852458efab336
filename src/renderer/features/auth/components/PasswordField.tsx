import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Field } from '#/renderer/components/Field'
import { IconButton } from '#/renderer/components/IconButton'
import { texts } from '#/renderer/lib/texts'

export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'type' | 'end'>) {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field
      {...props}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      end={
        <IconButton
          label={isShown ? texts.auth.hidePassword : texts.auth.showPassword}
          onClick={() => setIsShown(!isShown)}
          size="medium"
          className="text-quiet"
        >
          <Icon />
        </IconButton>
      }
    />
  )
}
