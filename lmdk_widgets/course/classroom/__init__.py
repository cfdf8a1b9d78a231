"""Activities that a teacher can run with a class, and what the answers show: without a server, a browser or a widget.

Each activity is a frozen value that survives JSON. It says what students' phones receive (`asked`), accepts an answer
or refuses it (`read`), and turns the class's answers into the numbers and sentences of the teacher's board (`board`).
`serving.classroom` carries these between the phones, the board and the file in which a class is saved.
"""

from lmdk_widgets.course.classroom.activity import ACTIVITIES, Activity, activity, stored
from lmdk_widgets.course.classroom.council import Council
from lmdk_widgets.course.classroom.duel import Duel
from lmdk_widgets.course.classroom.guess import Guess
from lmdk_widgets.course.classroom.poll import Poll
from lmdk_widgets.course.classroom.response import Response

__all__ = ["ACTIVITIES", "Activity", "Council", "Duel", "Guess", "Poll", "Response", "activity", "stored"]
