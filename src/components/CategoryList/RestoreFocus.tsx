import { Component, createRef, type ReactNode, type RefObject } from 'react'
import { focusTemporarily } from './focusTemporarily.ts'

interface FocusKeeperProps {
  /** Gets the focus that would else fall to the page's body. */
  readonly heir: RefObject<HTMLElement | null>
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Around what may vanish with the focus in it, in whole or in part, such as a button that has done its work. */
export class RestoreFocus extends Component<FocusKeeperProps, object, boolean> {
  private readonly own = createRef<HTMLDivElement>()

  /** While the element is still there: no effect of a function is that early, but those that servers warn of. */
  override componentWillUnmount(): void {
    if (this.hasFocus()) this.handOver()
  }

  override getSnapshotBeforeUpdate(): boolean {
    return this.hasFocus()
  }

  override componentDidUpdate(_props: FocusKeeperProps, _state: object, hadFocus: boolean): void {
    if (hadFocus) this.handOver()
  }

  private hasFocus(): boolean {
    return this.own.current?.matches(':focus-within') ?? false
  }

  private handOver(): void {
    const { heir } = this.props
    // When React is done. Others may have taken the focus by then, or the whole list may be gone.
    queueMicrotask(() => {
      const element = heir.current
      const focused = element?.ownerDocument.activeElement
      if (element && (!focused || focused === element.ownerDocument.body))
        focusTemporarily(element, { preventScroll: true })
    })
  }

  override render(): ReactNode {
    const { className, children } = this.props
    return (
      <div ref={this.own} className={className}>
        {children}
      </div>
    )
  }
}
