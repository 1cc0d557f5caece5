/** What speech-dispatcher gave to `speechModule.mjs`, as plain text: one entry for each time that Orca spoke. */
export function readSpeech(file: string): string[] {
  return file
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => plainText(String(JSON.parse(line))))
}

/** Without the marks that Orca puts before each word. */
function plainText(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
