import { useEffect, useState } from 'react'

/**
 * Loads a file in the browser, once it is wanted.
 *
 * @param load - the same function in every render
 * @returns `undefined` until it is loaded, and `null` if it cannot be
 */
export function useLate<File extends object>(isWanted: boolean, load: () => Promise<File>): File | null | undefined {
  const [file, setFile] = useState<File | null>()
  useEffect(() => {
    if (isWanted) load().then(setFile, () => setFile(null))
  }, [isWanted, load])
  return file
}
