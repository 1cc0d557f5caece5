import type { PlanName } from '../../src/testing.ts'
import type { Ledger } from './ledger.ts'
import type { Network } from './network.ts'
import type { Random } from './random.ts'
import type { VirtualTime } from '../virtualTime.ts'

const minute = 60_000
const hour = 60 * minute
/** The share of requests that fail outside of an outage. */
export const usualFaultRate = 0.02
const clockJumps = [-hour, -30_000, 30_000, hour]
const addresses = ['/v1/pets/1', '/v1/categories']
const plans: readonly PlanName[] = ['free', 'pro', 'business']

/** The simulation that an incident happens in. */
export interface SoakContext {
  readonly time: VirtualTime
  readonly random: Random
  readonly ledger: Ledger
  readonly network: Network
}

/** Lets something happen, after a while, that apps must survive: a used-up quota, an outage, a hidden page, a wrong clock. */
export async function randomIncident({ time, random, network }: SoakContext): Promise<void> {
  const between = async (begin: () => void, end: () => void, maxDuration: number, minDuration = 1_000) => {
    const duration = random.between(minDuration, maxDuration)
    begin()
    await time.sleep(duration)
    end()
  }

  /** Sets the machine's clock wrong for a few minutes. */
  const jumpClock = (by: number) =>
    between(
      () => time.setAhead(by),
      () => time.setAhead(0),
      5 * minute,
      minute,
    )

  /** Half of all requests fail. Sometimes the clock jumps at the same time. */
  const outage = async () => {
    network.setFaultRate(0.5)
    await Promise.all([time.sleep(3 * minute), random.chance(0.3) && jumpClock(random.pick(clockJumps))])
    network.setFaultRate(usualFaultRate)
  }

  /** One address is dead while all others are healthy. */
  const deadAddress = async () => {
    const repair = network.breakAddress(random.pick(addresses))
    await time.sleep(random.between(4 * minute, 12 * minute))
    repair()
  }

  const hidePage = () =>
    between(
      () => setVisible(false),
      () => setVisible(true),
      2 * minute,
    )
  const goOffline = () => between(dispatch('offline'), dispatch('online'), minute)
  const leavePage = () => between(dispatch('pagehide'), dispatch('pageshow'), minute)

  await time.sleep(random.between(minute, 10 * minute))
  await random.pickWeighted<() => unknown>([
    [3, network.exhaustQuota],
    [1, network.provokeBan],
    [1, () => network.rotateKey(random.pick(plans))],
    [1, () => network.changePlan(random.pick(plans))],
    [2, outage],
    [3, deadAddress],
    [2, () => jumpClock(random.pick(clockJumps))],
    [3, hidePage],
    [2, goOffline],
    [1, leavePage],
  ])()
}

const dispatch = (type: string) => () => void window.dispatchEvent(new Event(type))

function setVisible(isVisible: boolean): void {
  Object.defineProperty(document, 'visibilityState', { value: isVisible ? 'visible' : 'hidden', configurable: true })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  dispatch(isVisible ? 'focus' : 'blur')()
}
