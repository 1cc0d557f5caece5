import { useEffect, useState } from 'react'

/** How long it plays, in ms. */
const length = 4_000

interface Playback {
  /** From 0 to 1. */
  readonly progress: number
  readonly restart: () => void
}

/** Plays what is new from its beginning. Where people ask for less motion, it shows the end at once. */
export function usePlayback(subject: unknown): Playback {
  const [run, setRun] = useState(0)
  const [played, setPlayed] = useState({ subject, run, progress: 0 })

  useEffect(() => {
    if (subject === undefined) return undefined
    const show = (progress: number) => setPlayed({ subject, run, progress })
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      show(1)
      return undefined
    }
    const startedAt = performance.now()
    let frame = requestAnimationFrame(function draw(now) {
      const progress = Math.min(1, Math.max(0, (now - startedAt) / length))
      show(progress)
      if (progress < 1) frame = requestAnimationFrame(draw)
    })
    return () => cancelAnimationFrame(frame)
  }, [subject, run])

  const isCurrent = played.subject === subject && played.run === run
  return { progress: isCurrent ? played.progress : 0, restart: () => setRun(run + 1) }
}
