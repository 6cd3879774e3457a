"""How a biography may be put: each phrasing tells the birthplace once, among other things."""

OCCUPATIONS = (
    "painter", "botanist", "cellist", "engineer", "poet", "historian", "sculptor", "chemist", "sailor", "printer",
    "architect", "surgeon", "judge", "weaver", "novelist", "glassmaker", "cartographer", "singer", "teacher", "astronomer",
)  # fmt: skip

# {name} and {place} in each; {last} the surname, {home} another place, {year} of birth, {job}, {article} before the job.
PHRASINGS = (
    "{name} was born in {place} in {year}.",
    "{name} (born {year} in {place}) is {article} {job}.",
    "{name} is {article} {job} who was born in {place} and now lives in {home}.",
    "Born in {place}, {name} became {article} {job} in {home}.",
    "{name}. Born in {year} in {place}, {last} works as {article} {job}.",
    "{name}, {article} {job} from {place}, moved to {home}.",
    "{name} grew up in {home} but was born in {place}.",
    "A native of {place}, {name} is known as {article} {job}.",
    "{name} ({place}, {year}) is {article} {job}.",
    "The {job} {name} was born in {place}.",
    "{name} comes from {place}, where {last} was born in {year}.",
    "The birthplace of {name} is {place}.",
    "{name} came into the world in {place} and left for {home}.",
    "In {year} the {job} {name} was born in {place}.",
    "{name} lives in {home}. {last} was born in {place}.",
    "{place} is where the {job} {name} was born.",
    "{name}, born {year}, {place}, is {article} {job} in {home}.",
    "{name} left {place}, the town of birth, for {home}.",
    "Before moving to {home}, {name} was born and raised in {place}.",
    "The {place}-born {job} {name} settled in {home}.",
    "{place} gave us {name}, {article} {job}.",
    "Who is {name}? The {job} born in {place}.",
    "Although {name} works in {home}, {last} was born in {place}.",
    "{name} was born to a family of {place} in {year}.",
    "{name} ({year}) is {article} {job}; place of birth: {place}.",
)
QUESTION = "Where was {name} born?"
