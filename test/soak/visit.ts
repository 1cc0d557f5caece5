import type { TriggerResult } from '../../src/hooks/useMutation.ts'
import type { Ledger } from './ledger.ts'
import type { Random } from './random.ts'
import { type Controls, getPet, type Part, type PartKind, type Tab } from './Tab.tsx'
import type { VirtualTime } from '../virtualTime.ts'

interface VisitContext {
  readonly time: VirtualTime
  readonly random: Random
  readonly ledger: Ledger
}

/** The parts that a tab can show, by frequency. */
export const kinds: readonly (readonly [weight: number, kind: PartKind])[] = [
  [5, 'categories'],
  [2, 'polledCategories'],
  [5, 'pet'],
  [5, 'writer'],
  [1, 'CategoryList'],
  [1, 'CategoryManager'],
  [1, 'MessageComposer'],
  [3, 'RateLimitBadge'],
]
const pets = ['1', '2', '3', '9007199254740993']
/** A tab can cache the list and each pet. */
export const maxEntries = 1 + pets.length
let calls = 0
let parts = 0

/** Simulates a person who uses a tab until a time (true epoch ms), or until the tab crashes. */
export async function visit(tab: Tab, until: number, { time, random, ledger }: VisitContext): Promise<void> {
  let shown: readonly Part[] = []
  const show = (next: readonly Part[]) => {
    shown = next
    tab.show(next)
  }
  const mount = () => {
    parts += 1
    show([...shown.slice(-7), { id: parts, kind: random.pickWeighted(kinds), petId: random.pick(pets) }])
  }
  const unmount = () => {
    if (shown.length === 0) return
    const removed = random.pick(shown)
    show(shown.filter((part) => part !== removed))
  }
  const newId = () => `call-${(calls += 1)}`
  const withControls = <Name extends keyof Controls>(
    name: Name,
    act: (control: NonNullable<Controls[Name]>) => void,
  ) => {
    const available = [...tab.controls].flatMap(({ [name]: control }) => (control ? [control] : []))
    if (available.length > 0) act(random.pick(available))
  }
  const refresh = () => withControls('refresh', (trigger) => ledger.follow(newId(), 'refresh', tab.name, trigger))
  const create = () =>
    withControls('create', (trigger) => {
      const name = newId()
      ledger.follow(
        name,
        'create',
        tab.name,
        () => trigger({ name }).then(resultOf),
        (category) => category.name === name,
      )
    })
  const send = () =>
    withControls('send', (trigger) => {
      const id = newId()
      const input = { message: `This is ${id}.` }
      ledger.follow(
        id,
        'message',
        tab.name,
        () => trigger(input).then(resultOf),
        ({ message }) => message === input.message,
      )
    })
  /** Calls the client without a hook, and sometimes aborts the call. */
  const callDirectly = () => {
    const { client } = tab
    if (!client) return
    const petId = newId()
    const controller = new AbortController()
    const options = { signal: controller.signal, priority: random.pick(['user', 'background'] as const) }
    ledger.follow(
      petId,
      'pet',
      tab.name,
      () => client.call(getPet, { petId }, options),
      ({ id }) => id === petId,
    )
    if (random.chance(0.2)) setTimeout(() => controller.abort(), random.between(0, 2_000))
  }
  const list = () => {
    const { client } = tab
    if (client && tab.hasShown('/v1/categories'))
      ledger.follow(newId(), 'list', tab.name, () => client.listCategories())
  }
  const actManyTimes = () => {
    const act = random.pick([refresh, create, send, callDirectly])
    for (let count = random.between(5, 25); count > 0; count -= 1) act()
  }
  /** Crashes the tab while many calls are pending. */
  const crash = () => {
    actManyTimes()
    setTimeout(tab.kill, random.between(1, 400))
  }
  const rest = () => time.sleep(random.chance(0.5) ? random.between(5_000, 120_000) : 0)
  const actions = [
    [10, mount],
    [8, unmount],
    [10, refresh],
    [10, create],
    [8, send],
    [10, callDirectly],
    [4, list],
    [3, () => withControls('cancel', (cancel) => cancel())],
    [2, actManyTimes],
    [4, () => show(shown)],
    [4, rest],
    [0.5, crash],
  ] as const

  mount()
  while (tab.isAlive && time.now() < until) {
    await time.sleep(random.between(200, 6_000))
    if (tab.isAlive) await random.pickWeighted<() => unknown>(actions)()
  }
  if (tab.isAlive && random.chance(0.5)) actManyTimes()
}

/** Rejects where the call has failed or was canceled. */
const resultOf = <Output>({ data, error }: TriggerResult<Output>): Output | Promise<never> =>
  error ? Promise.reject(error) : data
