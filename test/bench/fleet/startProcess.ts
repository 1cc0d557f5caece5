import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { FromProcess, ProcessOptions, Report, ToProcess, Work } from './Work.ts'

export interface FleetProcess {
  readonly id: string
  readonly isRunning: () => boolean
  /** Resolves when its calls are over, or when it has ended. */
  readonly work: (work: Work) => Promise<void>
  /** Begins no more calls: `work` resolves when the running ones are over. */
  readonly stop: () => void
  /** The last report of a process that has ended. */
  readonly report: () => Promise<Report>
  /** Ends it at once, as a lack of memory would. */
  readonly kill: () => void
}

const program = fileURLToPath(new URL('process.js', import.meta.url))

/** Starts a process of the fleet. It ends with the benchmark, also if that is killed. */
export async function startProcess(options: ProcessOptions): Promise<FleetProcess> {
  const child = fork(program, [JSON.stringify(options)], { env: { ...process.env, NODE_ENV: 'production' } })
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  let lastReport: Report = { calls: 0, succeeded: 0, failed: {}, durations: [], commands: {}, outages: 0, cpu: 0 }
  const received = (type: FromProcess['type']) =>
    new Promise<void>((resolve) => {
      const listener = (message: FromProcess) => {
        if (message.type !== type) return
        if (message.type !== 'ready') lastReport = message.report
        child.off('message', listener)
        resolve()
      }
      child.on('message', listener)
    })
  const send = (message: ToProcess) => {
    if (child.connected) child.send(message, () => {})
  }
  await Promise.race([received('ready'), exited])
  const isRunning = () => child.exitCode === null && child.signalCode === null
  if (!isRunning()) throw new Error(`Process ${options.id} has not started.`)
  return {
    id: options.id,
    isRunning,
    work: (work) => {
      const done = received('done')
      send({ type: 'work', work })
      return Promise.race([done, exited])
    },
    stop: () => send({ type: 'stop' }),
    report: async () => {
      const reported = received('report')
      send({ type: 'report' })
      await Promise.race([reported, exited])
      return lastReport
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
