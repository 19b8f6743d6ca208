//! The table of opposites: what a text can say on one question, side by side.

/// One question with its possible answers; words and phrases (with `_`) that give each.
pub(crate) struct Axis {
    pub(crate) name: &'static str,
    /// Whether denying the one side says the other: not open is closed.
    pub(crate) either_or: bool,
    /// Whether a denial says something about the question.
    pub(crate) deniable: bool,
    pub(crate) sides: &'static [&'static str],
}

const fn either(name: &'static str, sides: &'static [&'static str]) -> Axis {
    Axis {
        name,
        either_or: true,
        deniable: true,
        sides,
    }
}

/// Sides that no denial turns: `no wide labels` says nothing of narrow ones.
const fn plain(name: &'static str, sides: &'static [&'static str]) -> Axis {
    Axis {
        name,
        deniable: false,
        ..many(name, sides)
    }
}

const fn many(name: &'static str, sides: &'static [&'static str]) -> Axis {
    Axis {
        name,
        either_or: false,
        deniable: true,
        sides,
    }
}

/// See [`crate::features::poles`].
pub(crate) const AXES: &[Axis] = &[
    either(
        "access",
        &[
            "open opened reopen unlocked reachable",
            "closed close shut locked",
        ],
    ),
    either(
        "switch",
        &[
            "enable enabled turn_on switch_on activate switched_on turned_on is_on",
            "disable disabled turn_off switch_off deactivate switched_off turned_off is_off off_level",
        ],
    ),
    either(
        "permission",
        &[
            "allow allowed permit permitted welcome may_use",
            "forbid forbidden prohibit banned disallow not_allowed off_limits",
        ],
    ),
    either(
        "acceptance",
        &[
            "accept accepted approve approved",
            "reject rejected refuse refused decline declined deny denied",
        ],
    ),
    either(
        "inclusion",
        &[
            "include included includes including inclusive",
            "exclude excluded excludes excluding exclusive leave_out",
        ],
    ),
    either(
        "amount",
        &[
            "increase increased raise more add extra additional up grow higher longer bigger",
            "decrease decreased lower fewer less remove reduce down shrink shorter smaller cut",
        ],
    ),
    either(
        "running",
        &[
            "start started begin resume continue spin_up",
            "stop stopped halt pause end cease",
        ],
    ),
    either(
        "trade",
        &[
            "buy purchase bought buys take_in",
            "sell sold sells sale sale_of",
        ],
    ),
    many(
        "transport",
        &["send sent sends", "receive received receives"],
    ),
    either("git", &["push pushed", "pull pulled"]),
    plain("transfer", &["import imported", "export exported"]),
    plain("load", &["upload uploaded", "download downloaded"]),
    either(
        "session",
        &[
            "log_in login sign_in logged_in",
            "log_out logout sign_out logged_out",
        ],
    ),
    either(
        "installation",
        &["install installed", "uninstall uninstalled"],
    ),
    either(
        "secrecy",
        &[
            "encrypt encrypted",
            "decrypt decrypted plaintext unencrypted",
        ],
    ),
    plain("audience", &["public publicly", "private privately"]),
    plain(
        "side_of_wall",
        &[
            "internal internally in_house",
            "external externally outsourced",
        ],
    ),
    either(
        "hand",
        &[
            "manual manually by_hand",
            "automatic automatically automated",
        ],
    ),
    either("timing", &["synchronous sync", "asynchronous async"]),
    either(
        "outcome",
        &[
            "succeed succeeded pass passed passes success successful works",
            "fail failed fails failure failing broken",
        ],
    ),
    either(
        "duty",
        &[
            "required mandatory compulsory obligatory needs must",
            "optional voluntary unnecessary",
        ],
    ),
    plain(
        "age",
        &[
            "new newest latest newer",
            "old oldest legacy previous older",
        ],
    ),
    plain("hour", &["early earlier earliest", "late later latest_at"]),
    plain(
        "hand_side",
        &["left leftmost", "rightmost right_side right_hand"],
    ),
    plain(
        "sky",
        &[
            "north northern",
            "south southern",
            "east eastern",
            "west western",
        ],
    ),
    plain(
        "day_part",
        &["morning mornings", "afternoon", "evening evenings"],
    ),
    plain(
        "period",
        &[
            "hourly every_hour each_hour per_hour",
            "daily every_day each_day nightly every_night each_night",
            "weekly every_week each_week once_a_week",
            "monthly every_month each_month once_a_month",
            "yearly annually every_year each_year",
        ],
    ),
    many(
        "channel",
        &[
            "email emailed mail emails",
            "phone telephone call ring calls",
            "sms text_message",
            "chat slack teams",
            "letter paper_mail",
            "fax",
        ],
    ),
    plain(
        "payment",
        &[
            "cash banknotes coins",
            "card credit_card",
            "cheque",
            "bank_transfer wire",
        ],
    ),
    plain(
        "price_level",
        &[
            "cheap cheaper cheapest inexpensive",
            "expensive dear pricier costly",
        ],
    ),
    plain("speed", &["fast faster quick", "slow slower sluggish"]),
    plain(
        "bound",
        &[
            "minimum at_least min no_less",
            "maximum at_most max no_more_than up_to",
        ],
    ),
    either(
        "intent",
        &[
            "on_purpose deliberate deliberately intentionally knowingly wilfully",
            "by_mistake by_accident accidentally unintentionally inadvertently",
        ],
    ),
    either(
        "alarm",
        &[
            "active ongoing unresolved firing",
            "cleared resolved inactive over_and_done",
        ],
    ),
    either(
        "delivery",
        &[
            "delivered sent",
            "bounced undelivered undeliverable returned_to_sender",
        ],
    ),
    either("consent", &["opt_in opted_in", "opt_out opted_out"]),
    plain("ledger", &["debit debited", "credit credited"]),
    plain("tax", &["gross", "net_of_tax net_amount excluding_tax"]),
    either("block", &["block blocked blocks", "unblock unblocked"]),
    either(
        "keeping",
        &[
            "keep kept retain preserve leave_alone leave_in_place untouched intact left_in_place",
            "delete deleted wipe clear purge erase empty discard throw_away drop flush",
        ],
    ),
    either(
        "roll",
        &[
            "back revert undo reinstall roll_back go_back previous_version",
            "forward roll_forward newer_version patch",
        ],
    ),
    many(
        "remedy",
        &[
            "refund money reimburse pay_back money_back",
            "exchange swap replace replacement exchange_for",
            "repair mend",
            "voucher store_credit credit_note",
        ],
    ),
    many("place_of_time", &["utc gmt", "local_time local wall_clock"]),
    either("distance", &["remote remotely", "on_site in_person"]),
    either("flow", &["inbound incoming", "outbound outgoing"]),
    plain(
        "environment",
        &[
            "production prod live_system",
            "staging",
            "development dev",
            "demo",
            "training",
            "sandbox",
            "test_system",
        ],
    ),
    either("grade", &["upgrade upgraded", "downgrade downgraded"]),
    either("joining", &["merge merged", "split separate separated"]),
    plain(
        "history",
        &["squash squashed", "rebase rebased", "merge_commit"],
    ),
    plain(
        "level",
        &[
            "above over exceeds exceed more_than",
            "below under less_than beneath",
        ],
    ),
    plain(
        "inside",
        &[
            "inside indoors indoor within_the",
            "outside outdoors outdoor",
        ],
    ),
    either("frequency_end", &["always every_time", "never"]),
    plain("heat", &["hot warm", "cold cool"]),
    plain("moisture", &["wet", "dry"]),
    either("fill", &["full", "empty"]),
    either(
        "sight",
        &["visible show shown shows", "hidden hide hides invisible"],
    ),
    either("link", &["connect connected", "disconnect disconnected"]),
    either("loan", &["lend lends", "borrow borrows"]),
    either("staff", &["hire hired", "fire fired dismiss"]),
    either("sign", &["plus positive", "minus negative"]),
    either(
        "freedom_of_version",
        &[
            "pin pinned exact exactly fixed lock locked_to one_version",
            "range ranges float floats floating compatible caret",
        ],
    ),
    many(
        "realness",
        &[
            "mock mocked mocks fake fakes stub stubs stubbed simulated",
            "sandbox real live actual",
        ],
    ),
    plain("blank", &["tab tabs", "spaces space"]),
    plain(
        "sorting",
        &["ascending oldest_first", "descending newest_first"],
    ),
    either("profit", &["profit surplus", "loss deficit"]),
    either("gain", &["win won wins", "lose lost loses"]),
    either("strictness", &["strict strictly", "lenient relaxed"]),
    plain(
        "state",
        &["running online alive up", "down offline unreachable dead"],
    ),
    plain("occupation", &["idle", "busy occupied"]),
    plain("weather", &["summer", "winter"]),
    either(
        "trust",
        &["true correct valid", "false incorrect invalid wrong"],
    ),
    either(
        "attendance",
        &["present attends attended", "absent missing missed"],
    ),
    either("health", &["healthy well", "sick ill"]),
    either("reply_by", &["reply answer respond", "ignore ignored"]),
    plain("thickness", &["wide broad", "narrow"]),
    plain(
        "number_of",
        &["single singular only_one", "multiple several many"],
    ),
    either(
        "charge",
        &[
            "free_of_charge for_free free costs_nothing",
            "chargeable charged_for",
        ],
    ),
    plain("presence", &["with", "without"]),
    plain("gender_title", &["mr", "ms mrs miss"]),
];
