import {
  Captions as CaptionsIcon,
  Maximize,
  Minimize,
  Pause,
  PictureInPicture2,
  Play,
  Volume2,
  VolumeX,
} from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { videoPlayer as words } from '#/renderer/lib/texts/later/video-player'

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const

interface VideoControlsProps {
  video: HTMLVideoElement
  /** What is covered below the controls, as CSS. */
  foot: string
  /** As its author says: until the file is read. */
  seconds: number
  isPaused: boolean
  onToggle: () => void
  rate: number
  onRate: (rate: number) => void
  /** Null for a video without sound. */
  sound: { isMuted: boolean; onToggle: () => void } | null
  /** Null for a video without captions. */
  captions: { areShown: boolean; onToggle: () => void } | null
  /** Null if the browser does not support it. */
  onPictureInPicture: (() => void) | null
  fullScreen: { isOn: boolean; onToggle: () => void }
  /** Takes the focus when the controls go. */
  onFocusLost: () => void
}

/** The controls of the video that has the decoder. */
export function VideoControls({
  video,
  foot,
  seconds,
  isPaused,
  onToggle,
  rate,
  onRate,
  sound,
  captions,
  onPictureInPicture,
  fullScreen,
  onFocusLost,
}: VideoControlsProps) {
  const bar = useRef<HTMLDivElement>(null)
  const lost = useRef(onFocusLost)
  useLayoutEffect(() => {
    lost.current = onFocusLost
  })
  useLayoutEffect(() => {
    const { current } = bar
    return () => {
      if (current?.contains(document.activeElement)) lost.current()
    }
  }, [])
  return (
    <div
      ref={bar}
      data-player-bar=""
      style={{ paddingBottom: `calc(4px + ${foot})` }}
      className="player-controls @container cursor-default bg-linear-to-t from-black/80 px-2 pt-5 text-white forced-colors:bg-[Canvas] forced-colors:bg-none"
    >
      <Position video={video} seconds={seconds} />
      <div className="flex items-center gap-0.5">
        <Control label={isPaused ? words.play : words.pause} onClick={onToggle}>
          {isPaused ? <Play className="fill-current" /> : <Pause className="fill-current" />}
        </Control>
        {sound !== null && (
          <Control label={sound.isMuted ? words.soundOn : words.soundOff} onClick={sound.onToggle}>
            {sound.isMuted ? <VolumeX /> : <Volume2 />}
          </Control>
        )}
        <Time video={video} seconds={seconds} />
        {captions !== null && (
          <Control label={words.captions} isPressed={captions.areShown} onClick={captions.onToggle}>
            <CaptionsIcon className={captions.areShown ? '' : 'opacity-60'} />
          </Control>
        )}
        <select
          aria-label={words.speed}
          title={words.speed}
          value={rate}
          onChange={({ target }) => onRate(Number(target.value))}
          className="h-8 shrink-0 cursor-pointer appearance-none rounded-md bg-transparent px-1.5 text-center text-[13px] tabular-nums hover:bg-white/20"
        >
          {SPEEDS.map((speed) => (
            <option key={speed} value={speed} className="bg-black text-white">
              {words.times(speed)}
            </option>
          ))}
        </select>
        {onPictureInPicture !== null && (
          <Control
            label={words.pictureInPicture}
            onClick={onPictureInPicture}
            // A narrow video has no room for it and the time.
            className="@max-[270px]:hidden"
          >
            <PictureInPicture2 />
          </Control>
        )}
        <Control
          label={fullScreen.isOn ? words.leaveFullScreen : words.fullScreen}
          onClick={fullScreen.onToggle}
        >
          {fullScreen.isOn ? <Minimize /> : <Maximize />}
        </Control>
      </div>
    </div>
  )
}

interface VideoTime {
  time: number
  length: number
}

function readTime({ currentTime, duration }: HTMLVideoElement, seconds: number): VideoTime {
  return { time: currentTime, length: duration > 0 && Number.isFinite(duration) ? duration : seconds }
}

/** The time and the length of a video, in seconds. */
function useTime(video: HTMLVideoElement, seconds: number): VideoTime {
  const [shown, setShown] = useState(() => readTime(video, seconds))
  useEffect(() => {
    const handleTime = () => setShown(readTime(video, seconds))
    const types = ['timeupdate', 'seeking', 'durationchange'] as const
    for (const type of types) video.addEventListener(type, handleTime)
    return () => {
      for (const type of types) video.removeEventListener(type, handleTime)
    }
  }, [video, seconds])
  return shown
}

type TimeProps = Pick<VideoControlsProps, 'video' | 'seconds'>

function Position({ video, seconds }: TimeProps) {
  const { time, length } = useTime(video, seconds)
  return (
    <input
      type="range"
      // Time runs from left to right in every language.
      dir="ltr"
      min={0}
      max={length}
      step="any"
      value={Math.min(time, length)}
      aria-label={words.position}
      aria-valuetext={words.positionOf(time, length)}
      onChange={({ target }) => {
        video.currentTime = target.valueAsNumber
      }}
      className="block h-5 w-full cursor-pointer accent-white"
    />
  )
}

function Time({ video, seconds }: TimeProps) {
  const { time, length } = useTime(video, seconds)
  return (
    <span className="me-auto truncate px-1 text-[13px] tabular-nums">
      <bdi dir="ltr">{words.progress(time, length)}</bdi>
    </span>
  )
}

interface ControlProps {
  label: string
  isPressed?: boolean
  onClick: () => void
  className?: string
  children: ReactNode
}

function Control({ label, isPressed, onClick, className = '', children }: ControlProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isPressed}
      title={label}
      onClick={onClick}
      className={`grid size-8 shrink-0 place-items-center rounded-md hover:bg-white/20 [&_svg]:size-4.5 ${className}`}
    >
      {children}
    </button>
  )
}
