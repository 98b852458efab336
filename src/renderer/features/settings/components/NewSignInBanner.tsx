import { useState } from 'react'
import { Banner, BannerButton } from '#/renderer/features/desktop'
import { dateAndTime } from '#/renderer/lib/content/time'
import { showToast } from '#/renderer/lib/core/toasts'
import { texts } from '#/renderer/lib/texts'
import { deviceName } from '../model'
import { useAnswerSignInsMutation, useSignOutOthersMutation } from '../mutations'
import type { NewSignIn } from '../queries'
import { ChangePasswordDialog } from './AccountDialogs'

const words = texts.settings.security

/** Asks whether the member signed in on another device; otherwise signs out all other devices and asks for a new password. */
export function NewSignInBanner({ signIns }: { signIns: readonly NewSignIn[] }) {
  const answering = useAnswerSignInsMutation()
  const ending = useSignOutOthersMutation()
  const [isChanging, setIsChanging] = useState(false)
  const [latest] = signIns
  const isBusy = answering.isPending || ending.isPending

  const handleNotMe = () =>
    ending.mutate(undefined, {
      onSuccess: () => {
        answering.mutate({ ids: signIns.map(({ id }) => id), wasMe: false })
        setIsChanging(true)
      },
      onError: () => showToast({ text: words.signOutOthersFailed }),
    })

  return (
    <>
      {latest !== undefined && (
        <Banner text={words.newSignIn(deviceName(latest.user_agent), dateAndTime(latest.created_at))}>
          <BannerButton
            isFirst
            disabled={isBusy}
            onClick={() => answering.mutate({ ids: [latest.id], wasMe: true })}
          >
            {words.wasMe}
          </BannerButton>
          <BannerButton disabled={isBusy} onClick={handleNotMe}>
            {words.signOutOthers}
          </BannerButton>
        </Banner>
      )}
      {isChanging && (
        <ChangePasswordDialog
          description={words.changePasswordAfterSignOut}
          onClose={() => setIsChanging(false)}
        />
      )}
    </>
  )
}
