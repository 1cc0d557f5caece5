import { isolate } from './isolate.ts'
import type { PetstoreLabels } from './en.ts'
import type { WaitSentence } from './waitText.ts'

/** From two minutes on, a wait also has a time. */
const afterWait = (wait: string, time: string | undefined) => (time === undefined ? `${wait}後` : `${wait}後(${time})`)

const waitReasons: PetstoreLabels['categoryForm']['waitReasons'] = {
  'rate-limit': 'リクエスト制限の解除を待っています。',
  connection: 'サービスに接続できません。',
  service: 'サービスで問題が発生しています。',
  'other-tabs': '他のタブを待っています。',
}

const retryingIn = (wait: string, time?: string) => `${afterWait(wait, time)}に再試行します`

/** When it happens. What fails is tried again, whether it is this request or another one. */
const happensIn =
  (verb: string): WaitSentence =>
  (wait, time, reason, isEarliest) => {
    if (reason === 'connection' || reason === 'service') return `${retryingIn(wait, time)}。`
    return `${isEarliest ? '早くても' : ''}${afterWait(wait, time)}に${verb}。`
  }

/** Why it waits, and when it happens. */
const waits =
  (verb: string): WaitSentence =>
  (wait, time, reason = 'rate-limit', isEarliest = false) =>
    waitReasons[reason] + happensIn(verb)(wait, time, reason, isEarliest)

/** Japanese. */
export const ja: PetstoreLabels = {
  locale: 'ja',
  categoryForm: {
    title: '新しいカテゴリー',
    name: '名前',
    nameHint: '例:うさぎ',
    description: '説明',
    optional: '(任意)',
    submit: 'カテゴリーを作成',
    submitting: '作成しています…',
    held: '待機中…',
    submitIn: (wait, time) => `${time ?? `${wait}後`}に作成`,
    waitReasons,
    savingIn: happensIn('作成します'),
    cancel: 'キャンセル',
    cancelled: 'キャンセルしました。カテゴリーは作成されていません。',
    created: (name) => `「${isolate(name)}」を作成しました。`,
    show: '表示',
    createdUnread: (name) =>
      `「${isolate(name)}」を作成しましたが、応答を読み取れませんでした。更新すると一覧に表示されます。`,
    nameMissing: '名前を入力してください。',
    nameInvalid: 'この名前は使えません。',
    descriptionInvalid: 'この説明は使えません。',
    createAnyway: 'それでも作成',
  },
  categoryList: {
    name: 'カテゴリー',
    loading: 'カテゴリーを読み込んでいます…',
    waiting: waits('読み込みます'),
    empty: 'カテゴリーはまだありません',
    emptyHint: '作成したカテゴリーはここに表示されます。',
    filter: 'カテゴリーを絞り込む',
    clearFilter: '絞り込みを解除',
    noMatch: (filter) => `「${isolate(filter)}」に一致するカテゴリーはありません。`,
    noMatchHint: 'つづりを確認するか、絞り込みを解除してください。',
    total: (count, { number }) => `カテゴリー ${number(count)} 件`,
    matches: (count, total, { number }) => `カテゴリー ${number(total)} 件中 ${number(count)} 件`,
    shown: (shown, total, { number }) => `${number(total)} 件中 ${number(shown)} 件を表示`,
    showMore: (count, { number }) => `さらに ${number(count)} 件を表示`,
    refresh: '更新',
    refreshing: '更新しています…',
    refreshed: 'カテゴリーは最新です。',
    pending: '作成しています…',
    held: '待機中…',
    selectAll: 'すべて選択',
    clearSelection: '選択を解除',
    selected: (count, { number }) => `${number(count)} 件を選択中`,
  },
  errorNotice: {
    errors: {
      'bad-request': {
        title: '使用できない内容が入力されています',
        advice: '変更して、もう一度お試しください。',
      },
      authentication: {
        title: 'API キーが拒否されました',
        advice: 'API キーがないか、無効です。',
      },
      'rate-limit': {
        title: 'リクエスト数が上限に達しました',
        advice: 'サービスがリクエスト数を制限しています。',
      },
      server: {
        title: 'サービスで問題が発生しています',
        advice: 'しばらくしてから、もう一度お試しください。',
      },
      'unexpected-status': {
        title: '予期しない応答',
        advice: 'サービスから未知の応答がありました。',
      },
      'response-validation': {
        title: '応答を読み取れません',
        advice: 'サービスの応答を読み取れませんでした。',
      },
      'input-validation': {
        title: '次の項目を確認してください',
        advice: '未入力または無効な項目があります。何も送信されていません。',
      },
      network: {
        title: 'サービスに接続できません',
        advice: 'インターネット接続を確認して、もう一度お試しください。',
      },
      timeout: {
        title: '時間がかかりすぎています',
        advice: 'サービスから時間内に応答がありませんでした。もう一度お試しください。',
      },
    },
    otherError: { title: '問題が発生しました', advice: 'リクエストが完了しませんでした。もう一度お試しください。' },
    situations: {
      limitToday: { title: '本日のリクエスト数が上限に達しました', advice: '本日のリクエストは残っていません。' },
      keyPaused: { title: 'サービスが API キーを一時停止しました', advice: 'この API キーは一時停止されています。' },
      forbidden: { title: '許可されていません', advice: 'この API キーには権限がありません。' },
      signedOut: { title: 'サインアウトしています', advice: 'サインインしてから、もう一度試してください。' },
      notPermitted: { title: '許可されていません', advice: 'この操作を行う権限がありません。' },
      servicePaused: { title: 'サービスが一時停止しました', advice: 'サービスがリクエストを一時停止しています。' },
      offline: { title: 'オフラインです', advice: 'オンラインに戻ると変更が送信されます。' },
      mayHaveHappened: {
        title: 'すでに処理された可能性があります',
        advice: 'もう一度試す前に確認してください。',
      },
      hasHappened: { title: '処理されましたが、応答を読み取れませんでした', advice: 'もう一度送信しないでください。' },
    },
    stillFailing: 'まだ失敗しています · たった今。',
    retry: 'もう一度試す',
    retryIn: (wait, time, isAnotherDay) => `${isAnotherDay ? time : afterWait(wait, time)}にもう一度試せます。`,
    pausedFor: (wait, time) => `${time === undefined ? `今後${wait}は` : `${time}まで`}何も送信されません。`,
    retryNow: 'もう一度試せます。',
    retrying: '再試行しています…',
    details: '詳細',
    code: 'コード',
    status: 'ステータス',
    operation: '操作',
    callId: '呼び出し ID',
    headers: '応答ヘッダー',
    serviceSays: 'サービスからのメッセージ',
  },
  messageComposer: {
    title: 'メッセージを送信',
    message: 'メッセージ',
    hint: (keyboard) => `${keyboard === 'apple' ? '⌘+Return' : 'Ctrl+Enter'} で送信します。`,
    send: '送信',
    sendIn: (wait, time) => `${time ?? `${wait}後`}に送信`,
    empty: 'メッセージを入力してください。',
    limit: (maxLength, { number }) => `${number(maxLength)} 文字以内`,
    tooLong: (maxLength, { number }) => `${number(maxLength)} 文字以内に短くしてください。`,
    charactersLeft: (count, { number }) => `残り ${number(count)} 文字`,
    charactersOver: (count, { number }) => `${number(count)} 文字超過`,
    announcement: (excerpt, state) => `「${isolate(excerpt)}」:${state}`,
    outbox: 'メッセージ一覧',
    sending: '送信しています…',
    waiting: waits('送信します'),
    queued: '送信待ち',
    accepted: '受付済み · ステータス:',
    failedBecause: (reason) => `未送信 · ${reason}`,
    acceptedUnread: '送信されましたが、応答を読み取れません',
    cancelled: 'キャンセル済み',
    retry: 'もう一度試す',
    retryAnyway: 'それでももう一度送信',
    edit: '編集',
    editBlocked: '先に入力中のメッセージを送信するか、消去してください。',
    cancel: 'キャンセル',
    discard: '破棄',
    showAll: 'すべて表示',
    showLess: '折りたたむ',
  },
  rateLimitBadge: {
    title: 'API リクエスト',
    meter: '残りのリクエスト',
    idle: 'リクエストはまだありません',
    waitsForResponse: '最初の応答を待っています',
    unknown: '確認中…',
    ok: '利用できます',
    low: '残りわずか',
    exhausted: '上限に達しました',
    exhaustedUntil: (time) => `${time}まで上限です`,
    coolingDown: '一時停止中',
    pausedUntil: (time) => `${time}まで一時停止`,
    rejected: 'キーが拒否されました',
    waitsForKey: '有効なキーを待っています',
    waiting: (count, { number }) => (count === 0 ? '待機中のリクエストなし' : `${number(count)} 件待機中`),
    connection: 'サービスに接続できません',
    service: 'サービスで問題が発生しています',
    remaining: (remaining, limit, { number }) => `${number(limit)} 件中 残り ${number(remaining)} 件`,
    remainingOnly: (remaining, { number }) => `残り ${number(remaining)} 件`,
    remainingShort: (remaining, limit, { number }) => `${number(remaining)}/${number(limit)}`,
    nextIn: (wait) => `${wait}後に再開`,
    retryingIn,
    resetsIn: (wait) => `${wait}後にリセット`,
    resetsAt: (time) => `${time} にリセット`,
    restored: 'リクエストを再び送信できます。',
  },
}
