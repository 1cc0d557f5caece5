import { isolateAlways } from './isolate.ts'
import type { PetstoreLabels } from './en.ts'
import type { PluralForms } from './formats.ts'
import { type WaitSentence, withReason } from './waitText.ts'

const categories: PluralForms = {
  zero: 'لا فئات',
  one: 'فئة واحدة',
  two: 'فئتان',
  few: '# فئات',
  many: '# فئة',
  other: '# فئة',
}

const characters: PluralForms = {
  zero: 'لا أحرف',
  one: 'حرف واحد',
  two: 'حرفان',
  few: '# أحرف',
  many: '# حرفًا',
  other: '# حرف',
}

const requests: PluralForms = {
  zero: 'لا طلبات',
  one: 'طلب واحد',
  two: 'طلبان',
  few: '# طلبات',
  many: '# طلبًا',
  other: '# طلب',
}

const isolated = (text: string) => `«${isolateAlways(text)}»`

const withTime = (wait: string, time: string | undefined) => (time === undefined ? wait : `${wait}، ${time}`)

const waitReasons: PetstoreLabels['categoryForm']['waitReasons'] = {
  'rate-limit': 'في انتظار حد الطلبات.',
  connection: 'تعذر الوصول إلى الخدمة.',
  service: 'هناك مشكلة في الخدمة.',
  'other-tabs': 'في انتظار علامات التبويب الأخرى.',
}

const timeUntil = (event: string, wait: string, time: string | undefined, isEarliest = false) =>
  `الوقت المتبقي حتى ${event}${isEarliest ? ' لا يقل عن' : ''}: ${withTime(wait, time)}`

const retryingIn = (wait: string, time?: string) => timeUntil('المحاولة التالية', wait, time)

const happensIn =
  (event: string): WaitSentence =>
  (wait, time, reason, isEarliest) => {
    if (reason === 'connection' || reason === 'service') return `${retryingIn(wait, time)}.`
    return `${timeUntil(event, wait, time, isEarliest)}.`
  }

/** Arabic. A wait follows a colon: `Intl` writes it in the nominative, which would be wrong after a preposition. */
export const ar: PetstoreLabels = {
  locale: 'ar',
  categoryForm: {
    title: 'فئة جديدة',
    close: 'إغلاق',
    name: 'الاسم',
    nameHint: 'مثل: أرنب',
    description: 'الوصف',
    optional: '(اختياري)',
    submit: 'إنشاء الفئة',
    submitting: 'جارٍ الإنشاء…',
    held: 'في الانتظار…',
    submitIn: (wait, time) => (time === undefined ? `الإنشاء بعد: ${wait}` : `الإنشاء ${time}`),
    waitReasons,
    savingIn: happensIn('الإنشاء'),
    cancel: 'إلغاء',
    cancelled: 'أُلغي الطلب، ولم تُنشأ أي فئة.',
    created: (name) => `أُنشئت الفئة ${isolated(name)}.`,
    show: 'عرض',
    createdUnread: (name) => `أُنشئت الفئة ${isolated(name)}، لكن تعذّرت قراءة الرد. ستظهر في القائمة بعد التحديث.`,
    nameMissing: 'أدخل اسمًا.',
    nameInvalid: 'لا يمكن استخدام هذا الاسم.',
    descriptionInvalid: 'لا يمكن استخدام هذا الوصف.',
    createAnyway: 'إنشاء على أي حال',
  },
  categoryList: {
    name: 'الفئات',
    loading: 'جارٍ تحميل الفئات…',
    waiting: withReason(waitReasons, happensIn('التحميل')),
    empty: 'لا توجد فئات بعد',
    emptyHint: 'تظهر الفئات الجديدة هنا.',
    filter: 'تصفية الفئات',
    clearFilter: 'مسح التصفية',
    noMatch: (filter) => `لا توجد فئات تطابق ${isolated(filter)}.`,
    noMatchHint: 'تحقّق من الكتابة أو امسح عامل التصفية.',
    total: (count, { plural }) => plural(count, categories),
    matches: (count, total, { number }) => `${number(count)} من أصل ${number(total)}`,
    shown: (shown, total, { number }) => `يُعرض ${number(shown)} من أصل ${number(total)}`,
    showMore: (count, { number }) => `عرض المزيد: ${number(count)}`,
    refresh: 'تحديث',
    refreshing: 'جارٍ التحديث…',
    refreshed: 'الفئات محدَّثة.',
    pending: 'جارٍ الإنشاء…',
    held: 'في الانتظار…',
    selectAll: 'تحديد الكل',
    clearSelection: 'إلغاء التحديد',
    selected: (count, { number }) => `المحدد: ${number(count)}`,
  },
  errorNotice: {
    errors: {
      'bad-request': { title: 'لا يمكن استخدام بعض ما أدخلته', advice: 'غيّره ثم حاول مرة أخرى.' },
      authentication: { title: 'رُفض مفتاح API', advice: 'مفتاح API مفقود أو غير صالح.' },
      'rate-limit': { title: 'بُلغ حد الطلبات', advice: 'تحدّ الخدمة من عدد الطلبات.' },
      server: { title: 'هناك مشكلة في الخدمة', advice: 'حاول مرة أخرى بعد قليل.' },
      'unexpected-status': { title: 'رد غير متوقع', advice: 'أرسلت الخدمة ردًا لا نعرفه.' },
      'response-validation': { title: 'رد غير مقروء', advice: 'تعذرت قراءة رد الخدمة.' },
      'input-validation': { title: 'تحقق من هذه الحقول', advice: 'هناك شيء ناقص أو غير صالح. لم يُرسل شيء.' },
      network: { title: 'تعذر الوصول إلى الخدمة', advice: 'تحقق من اتصالك بالإنترنت ثم حاول مرة أخرى.' },
      timeout: { title: 'يستغرق ذلك وقتًا طويلًا', advice: 'لم ترد الخدمة في الوقت المحدد. حاول مرة أخرى.' },
    },
    otherError: { title: 'حدث خطأ ما', advice: 'لم يكتمل الطلب. حاول مرة أخرى.' },
    situations: {
      limitToday: { title: 'بُلغ حد الطلبات لهذا اليوم', advice: 'لم تبق طلبات لهذا اليوم.' },
      keyPaused: { title: 'أوقفت الخدمة مفتاح API مؤقتًا', advice: 'أوقفت الخدمة هذا المفتاح مؤقتًا.' },
      forbidden: { title: 'غير مسموح', advice: 'ليس لمفتاح API هذا إذن.' },
      signedOut: { title: 'لقد سُجّل خروجك', advice: 'سجّل الدخول، ثم حاول مرة أخرى.' },
      notPermitted: { title: 'غير مسموح', advice: 'ليس لديك إذن للقيام بذلك.' },
      servicePaused: { title: 'أوقفت الخدمة الطلبات مؤقتًا', advice: 'أوقفت الخدمة طلباتك مؤقتًا.' },
      offline: { title: 'أنت غير متصل بالإنترنت', advice: 'تُرسل التغييرات عند عودة الاتصال.' },
      mayHaveHappened: { title: 'ربما نُفذ الطلب', advice: 'تحقق قبل أن تحاول مرة أخرى.' },
      hasHappened: { title: 'نُفذ الطلب، لكن تعذّرت قراءة الرد', advice: 'لا ترسله مرة أخرى.' },
    },
    stillFailing: 'ما زال الخطأ قائمًا · الآن.',
    retry: 'حاول مرة أخرى',
    retryAnyway: 'المحاولة مرة أخرى على أي حال',
    retryIn: (wait, time, isAnotherDay) =>
      isAnotherDay ? `يمكنك المحاولة مرة أخرى ${time}.` : `${retryingIn(wait, time)}.`,
    pausedFor: (wait, time) => (time === undefined ? `لن يُرسل شيء خلال: ${wait}.` : `لن يُرسل شيء حتى ${time}.`),
    retryNow: 'يمكنك المحاولة الآن.',
    retrying: 'جارٍ إعادة المحاولة…',
    details: 'التفاصيل',
    code: 'الرمز',
    status: 'الحالة',
    operation: 'العملية',
    callId: 'معرّف الطلب',
    headers: 'ترويسات الاستجابة',
    serviceSays: 'رسالة من الخدمة',
  },
  messageComposer: {
    title: 'إرسال رسالة',
    message: 'الرسالة',
    hint: (keyboard) => `للإرسال اضغط \u2066${keyboard === 'apple' ? '⌘ Return' : 'Ctrl+Enter'}\u2069.`,
    send: 'إرسال',
    sendIn: (wait, time) => (time === undefined ? `الإرسال بعد: ${wait}` : `الإرسال ${time}`),
    empty: 'أدخل رسالة.',
    limit: (maxLength, { plural }) => `الحد الأقصى: ${plural(maxLength, characters)}.`,
    tooLong: (maxLength, { plural }) => `اختصر النص. الحد الأقصى: ${plural(maxLength, characters)}.`,
    charactersLeft: (count, { plural }) => `المتبقي: ${plural(count, characters)}`,
    charactersOver: (count, { plural }) => `الزائد: ${plural(count, characters)}`,
    announcement: (excerpt, state) => `${isolated(excerpt)}: ${state}`,
    outbox: 'الرسائل',
    sending: 'جارٍ الإرسال…',
    waiting: withReason(waitReasons, happensIn('الإرسال')),
    queued: 'في قائمة الانتظار',
    accepted: 'قُبلت · الحالة:',
    failedBecause: (reason) => `لم تُرسل · ${reason}`,
    acceptedUnread: 'أُرسلت، لكن تعذّرت قراءة الرد',
    cancelled: 'أُلغيت',
    retryAnyway: 'إرسال مرة أخرى على أي حال',
    edit: 'تعديل',
    editBlocked: 'أرسل رسالتك الحالية أو امسحها أولًا.',
    cancel: 'إلغاء',
    discard: 'تجاهل',
    showAll: 'عرض الكل',
    showLess: 'عرض أقل',
  },
  rateLimitBadge: {
    title: 'طلبات API',
    meter: 'الطلبات المتبقية',
    idle: 'لا استجابة بعد',
    waitsForNext: 'سيُظهر الرد التالي ما تبقّى',
    unknown: 'جارٍ التحقق…',
    ok: 'متاح',
    low: 'أوشك على النفاد',
    exhausted: 'مستنفد',
    exhaustedUntil: (time) => `مستنفد حتى ${time}`,
    coolingDown: 'متوقف مؤقتًا',
    pausedUntil: (time) => `متوقف حتى ${time}`,
    rejected: 'رُفض المفتاح',
    waitsForKey: 'في انتظار مفتاح صالح',
    waiting: (count, { number }) => `في الانتظار: ${number(count)}`,
    connection: 'تعذر الوصول إلى الخدمة',
    remaining: (remaining, limit, { number }) => `المتبقي ${number(remaining)} من أصل ${number(limit)}`,
    remainingOnly: (remaining, { plural }) => `المتبقي: ${plural(remaining, requests)}`,
    nextIn: (wait) => timeUntil('الاستئناف', wait, undefined),
    retryingIn,
    resetsIn: (wait) => timeUntil('التجديد', wait, undefined),
    resetsAt: (time) => `يتجدد ${time}`,
    restored: 'يمكنك إرسال الطلبات من جديد.',
  },
}
