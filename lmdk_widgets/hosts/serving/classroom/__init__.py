"""A class on the server: the teacher's board, the students' phones, and the file that stores their answers.

`room` has the present state, `store` writes it to disk before anyone is told that it arrived, `phones` and `board` are the
addresses, `limits` refuses excessive requests. The questions and outcomes are in `lmdk_widgets.course.classroom`.
"""
