export interface SpokenStep {
  readonly name: string
  readonly spoken: readonly string[]
  /** Why it is right that the step says nothing. */
  readonly silence?: string | undefined
}

interface FlowTranscript {
  readonly name: string
  readonly english: readonly SpokenStep[]
  readonly arabic: readonly SpokenStep[]
}

/** A table for each flow, with a row for each step. */
export function transcriptOf(component: string, flows: readonly FlowTranscript[]): string {
  const sections = flows.map(({ name, english, arabic }) => {
    const rows = english.map((step, index) => `| ${step.name} | ${cell(step)} | ${cell(arabic[index])} |`)
    return [`## ${name}`, '', '| Step | English | Arabic |', '| --- | --- | --- |', ...rows, ''].join('\n')
  })
  return [`# ${component}, as Orca speaks it`, '', ...sections].join('\n')
}

function cell(step: SpokenStep | undefined): string {
  if (!step) return ''
  const text = step.spoken.join(' / ').replaceAll('|', '\\|')
  return text === '' ? `*silent${step.silence ? `: ${step.silence}` : ''}*` : text
}

/** Replaces clock times, which differ from run to run. */
export function withoutTimes(text: string): string {
  return text.replaceAll(/\d{1,2}:\d{2}(\s?[AP]M|\s?[صم])?/g, '#:##')
}
